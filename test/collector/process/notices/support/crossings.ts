/** Crossings of budgets as the log has them, and a subscriber with a clock that tests turn. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { StoredEvent } from '../../../../../collector/log/stored-event.ts';
import { readDeliveries } from '../../../../../collector/process/notices/deliveries.ts';
import { createNotices } from '../../../../../collector/process/notices/subscriber.ts';
import type { SendOptions, Target } from '../../../../../collector/process/notices/target.ts';
import type { SubscriberBatch } from '../../../../../collector/subscription/subscriber.ts';
import { budgetCrossed } from '../../../../../contract/events/live/budget-crossed.ts';

type Data = LedgerEvent<'pi.budget.crossed.v1'>['data'];

const receivedAtMs = Date.parse('2026-11-21T15:02:11.480Z');

export function crossing(n: number, data: Partial<Data> = {}): StoredEvent {
  const event: LedgerEvent<'pi.budget.crossed.v1'> = {
    specversion: '1.0',
    id: `01a2073c-26a2-8daf-b11a-${String(n).padStart(12, '0')}`,
    source: '/collector',
    type: 'pi.budget.crossed.v1',
    time: '2026-11-01T00:00:00.000Z',
    subject: '/budgets/shop',
    data: { ...budgetCrossed.example, ...data },
  };
  return { position: n, receivedAtMs, event };
}

/** `turn` hands events over as the loop does, at a time, and keeps the state. */
export function driven(makeTarget: (options: SendOptions) => Target, timeoutMs?: number) {
  const said: string[] = [];
  let nowMs = Date.parse('2026-11-21T15:02:12.000Z');
  const now = () => nowMs;
  const target = makeTarget({
    ...{ version: '1.2.3', now, pageOf: null },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const subscriber = createNotices(target, {
    ...{ now, random: () => 1, say: (message) => void said.push(message) },
  });
  let state: string | null = null;
  let position = 0;
  async function handle(batch: SubscriberBatch): Promise<void> {
    state = (await subscriber.handle(batch, new AbortController().signal, state)) ?? state;
  }
  return {
    said,
    state: () => state,
    /** As `pi-ledger budgets deliveries` has them. */
    deliveries() {
      const read = async (name: string) => ({ name, position: 1, state });
      return readDeliveries([target], { read });
    },
    pass(ms: number) {
      nowMs += ms;
    },
    async turn(...events: readonly StoredEvent[]): Promise<void> {
      const to = events.at(-1)?.position ?? position;
      await handle({ events, from: position, to });
      position = to;
      while (subscriber.idleMs === 0) await handle({ events: [], from: to, to });
    },
  };
}
