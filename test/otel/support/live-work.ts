/** Work as hosts tell of it while it happens: sessions of the last hour, in more projects. */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { demoMonth } from '../../../collector/cli/demo/month.ts';
import { batchType } from '../../collector/support/ledger.ts';

const day = { until: new Date('2026-11-18T00:00:00Z'), days: 2, sessionsPerDay: 10 };
const statuses = [400, 408, 429, 500, 502, 503, 529];
/** What the month's own people were told of their plans, at any time of the day, hides nothing. */
const user = 'live';
/** Above the five that a chart names. */
const projects = 8;
const eventsABatch = 200;

/** Sessions that end now. Another seed: other sessions. */
export function liveWork(seed: number): readonly LedgerEvent[] {
  const events = [...demoMonth({ ...day, seed })];
  const last = Math.max(...events.map(({ time }) => Date.parse(time)));
  const shiftMs = Date.now() - last;
  const named = new Map<string, string>();
  return events.map((event, index) => {
    const time = new Date(Date.parse(event.time) + shiftMs).toISOString();
    if (event.type === 'pi.session.attributed.v1') {
      const name = named.get(event.subject) ?? `live-${named.size % projects}`;
      named.set(event.subject, name);
      const project = { ...event.data.project, name };
      return { ...event, time, data: { ...event.data, project, user } };
    }
    if (event.type === 'pi.turn.completed.v1' && event.data.errorStatus !== null) {
      const errorStatus = statuses[index % statuses.length] ?? null;
      return { ...event, time, data: { ...event.data, errorStatus } };
    }
    if (event.type === 'pi.response.received.v1')
      return {
        ...event,
        time,
        data: { ...event.data, limits: event.data.limits.map(toldAt(time)) },
      };
    return { ...event, time };
  });
}

type RateLimit = EventData<'pi.response.received.v1'>['limits'][number];

/** On any day, the week of a plan began a day before, and is full before it ends. */
function toldAt(time: string): (limit: RateLimit) => RateLimit {
  const resetAtMs = Date.parse(time) + 6 * 24 * 3_600_000;
  return (limit) =>
    limit.window === 'unified-7d' ? { ...limit, utilization: 0.6, resetAtMs } : limit;
}

/** As an extension sends it. Throws unless all of it was taken. */
export async function send(url: string, events: readonly unknown[]): Promise<void> {
  for (let from = 0; from < events.length; from += eventsABatch) {
    const batch = events.slice(from, from + eventsABatch);
    const response = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': batchType },
      body: JSON.stringify(batch),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  }
}
