/** What was used of plans over days, as the API answers it. It is noon on 2026-11-22. */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import type { QuotaHistory } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { attributed, event } from '../../projections/support/given.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';

type RateLimit = EventData<'pi.response.received.v1'>['limits'][number];

const { holding } = ledgerHomes();
const hourMs = 3_600_000;

function told(session: string, time: string, said: Partial<RateLimit>) {
  const nothing = { limit: null, remaining: null, utilization: null, status: null };
  const limit = { window: 'unified-5h', resetAtMs: null, ...nothing, ...said };
  return event(
    'pi.response.received.v1',
    { at: time, session },
    { provider: 'anthropic', limits: [limit] },
  );
}

/** In the window that began at eight o'clock. */
function usedOn(session: string, day: string, hours: number, utilization: number) {
  const startMs = Date.parse(`${day}T08:00:00.000Z`);
  const time = new Date(startMs + hours * hourMs).toISOString();
  return told(session, time, { utilization, resetAtMs: startMs + 5 * hourMs });
}

const ofUser = (user: string, session: string) =>
  attributed('2026-11-01T08:00:00.000Z', { user }, session);

async function ask(events: readonly LedgerEvent[], query = ''): Promise<QuotaHistory> {
  return (await get(await holding(events), `/v1/quota/history?${query}`)).json();
}

const work = [
  ofUser('ada', 'a'),
  ofUser('ada', 'fork-of-a'),
  ofUser('bob', 'b'),
  usedOn('a', '2026-11-20', 1, 0.25),
  usedOn('fork-of-a', '2026-11-20', 2, 0.75),
  usedOn('a', '2026-11-20', 3, 0.5),
  usedOn('b', '2026-11-20', 3, 0.5),
  usedOn('b', '2026-11-21', 1, 1),
];

describe('GET /v1/quota/history', () => {
  it('counts each window of each plan once, with the most that any session was told', async () => {
    const { rows, ...rest } = await ask(work);
    expect(rest).toEqual({
      ...{ since: '2026-10-24', until: '2026-11-22', readAt: null, isPartial: false },
    });
    expect(rows).toEqual([
      {
        ...{ provider: 'anthropic', window: 'unified-5h', name: '5 h', windowMs: 5 * hourMs },
        ...{ user: null, users: 2, windows: 3, usedWindows: 2.25, fullWindows: 1 },
        ...{ peakWindows: 1.25, peakAt: '2026-11-20T11:00:00.000Z', plansNeeded: 2 },
      },
    ]);
  });

  it('has a row for each user', async () => {
    const { rows } = await ask([...work, usedOn('c', '2026-11-22', 1, 0.125)], 'by=user');
    expect(
      rows.map(({ user, users, windows, usedWindows, plansNeeded }) => [
        ...[user, users, windows, usedWindows, plansNeeded],
      ]),
    ).toEqual([
      [null, 1, 1, 0.125, 1],
      ['ada', 1, 1, 0.75, 1],
      ['bob', 1, 2, 1.5, 2],
    ]);
  });

  it('has the windows of some days', async () => {
    const figures = async (query: string) =>
      (await ask(work, query)).rows.map(({ users, windows, usedWindows }) => [
        ...[users, windows, usedWindows],
      ]);
    expect(await figures('since=2026-11-21')).toEqual([[1, 1, 1]]);
    expect(await figures('until=2026-11-20')).toEqual([[2, 2, 1.25]]);
    expect(await figures('since=2026-11-22')).toEqual([]);
  });

  it('puts shorter windows first, and knows providers apart', async () => {
    const week = { utilization: 0.5, resetAtMs: Date.parse('2026-11-27T08:00:00.000Z') };
    const { rows } = await ask([
      ...work,
      told('a', '2026-11-21T08:00:00.000Z', { window: 'unified-7d', ...week }),
    ]);
    expect(rows.map(({ name, usedWindows }) => [name, usedWindows])).toEqual([
      ['5 h', 2.25],
      ['week', 0.5],
    ]);
  });

  it('refuses what is no day, and days that end before they begin', async () => {
    const ledger = await holding([]);
    const refused = async (query: string) => {
      const { status, json } = await get(ledger, `/v1/quota/history?${query}`);
      return [status, json().field];
    };
    expect(await refused('since=2026-02-30')).toEqual([400, 'since']);
    expect(await refused('until=yesterday')).toEqual([400, 'until']);
    expect(await refused('since=2026-11-22&until=2026-11-21')).toEqual([400, 'until']);
    expect(await refused('by=project')).toEqual([400, 'by']);
  });
});
