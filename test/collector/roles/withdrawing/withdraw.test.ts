/** Withdrawals of sessions that took over thousands of entries. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { eventOfLine } from '../../../../collector/cli/transfer/exported-line.ts';
import type { Ingest } from '../../../../collector/ingest/ingest.ts';
import type { Log } from '../../../../collector/log/log.ts';
import { createWithdrawing } from '../../../../collector/roles/withdrawing/withdraw.ts';
import type { ViewsReader } from '../../../../collector/views/views.ts';
import { ingests } from '../../ingest/ingests.ts';
import { sessions } from '../../projections/support/bare-sessions.ts';
import { exampleEvents } from '../../support/events.ts';

const { open, clock } = ingests();

/** Nothing is sealed here, so nobody asks them. */
const views = {} as ViewsReader;
const entries = 2_500;
const bySession = { session: 'a', reason: 'x', by: null };

function withdrawing(log: Log, ingest: Pick<Ingest, 'accept'>) {
  const tokens = { list: async () => [] };
  return createWithdrawing({
    ...{ log, ingest, tokens, views, sessions },
    cells: 1,
    now: () => clock.nowMs,
  });
}

/** `owners` claim the same entries, one after the other; each has the better right to them. */
async function claimed(ingest: Ingest, owners: readonly string[], count = entries) {
  const first = exampleEvents(1_000_000, count, { source: '/importers/pi', sequence: 0 });
  for (const subject of owners) {
    const ownership = subject === 'a' ? {} : { ownership: 'assumed' as const };
    const { rejected } = await ingest.accept(
      first.map((event) => ({ ...event, subject, ...ownership })),
    );
    expect(rejected).toEqual([]);
  }
}

/** How often each session has an entry, counted from what the log still gives. */
async function countedIn(log: Log): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const add = (subject: string, by: number) => {
    counts[subject] = (counts[subject] ?? 0) + by;
  };
  for (const { event } of await log.read(0, 1_000_000)) {
    if (event.type === 'pi.turn.completed.v1') add(event.subject, 1);
    else if (event.type === 'pi.entry.moved.v1')
      add(event.subject, { in: 1, out: -1, stay: 0 }[event.data.role]);
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

describe('a withdrawal of a session that took over many entries', () => {
  it('is appended at once', async () => {
    const { log, ingest } = open();
    await claimed(ingest, ['b', 'a']);
    expect(await countedIn(log)).toEqual({ a: entries });
    const batches: number[] = [];
    const accept: Ingest['accept'] = (events, ...more) => {
      batches.push(events.length);
      return ingest.accept(events, ...more);
    };
    await withdrawing(log, { accept }).withdraw(bySession);
    expect(batches).toEqual([3]);
    expect(await countedIn(log)).toEqual({ b: entries });
  });

  it.each([1, 2])('is completed by the same command after %i of 3 events', async (parts) => {
    const { log, ingest } = open();
    await claimed(ingest, ['b', 'a']);
    const accept: Ingest['accept'] = async (events, ...more) => {
      await ingest.accept(events.slice(0, parts), ...more);
      throw new Error('killed');
    };
    await expect(withdrawing(log, { accept }).withdraw(bySession)).rejects.toThrow('killed');
    await withdrawing(log, ingest).withdraw(bySession);
    expect(await countedIn(log)).toEqual({ b: entries });
    const again = withdrawing(log, ingest).withdraw(bySession);
    await expect(again).rejects.toThrow('already');
  });

  it('is completed where the session is withdrawn, and its moves are not', async () => {
    const { log, ingest } = open();
    await claimed(ingest, ['b', 'a']);
    const accept: Ingest['accept'] = (events, ...more) => {
      const last = events.at(-1) as LedgerEvent<'pi.records.withdrawn.v1'>;
      const { reason, by, records } = last.data;
      const data = { reason, by, records: { ...records, events: [] } };
      return ingest.accept([{ ...last, data }], ...more);
    };
    await withdrawing(log, { accept }).withdraw(bySession);
    expect(await countedIn(log)).toEqual({});
    await withdrawing(log, ingest).withdraw(bySession);
    expect(await countedIn(log)).toEqual({ b: entries });
  });

  it.each([
    [['c', 'b', 'a'], ['a', 'b'], 'c'],
    [['c', 'b', 'a'], ['b', 'a'], 'c'],
    [['c', 'b', 'a'], ['b'], 'a'],
    [['c', 'b', 'a'], ['a'], 'b'],
    [['c', 'b', 'a'], ['a', 'c'], null],
  ])('of %j, of which %j go, leaves each entry once', async (owners, withdrawn, owner) => {
    const { log, ingest } = open();
    await claimed(ingest, owners, 10);
    for (const session of withdrawn)
      await withdrawing(log, ingest).withdraw({ ...bySession, session });
    expect(await countedIn(log)).toEqual(owner === null ? {} : { [owner]: 10 });
  });

  it('is the same in a ledger that imports its export, where entries moved later', async () => {
    const { log, ingest } = open();
    await claimed(ingest, ['b', 'a'], 3);
    await withdrawing(log, ingest).withdraw(bySession);
    await claimed(ingest, ['a later one'], 3);
    expect(await countedIn(log)).toEqual({ 'a later one': 3 });
    const other = open();
    for (const { event } of await log.read(0, 1_000))
      if (String(event.type) !== 'withdrawn')
        await other.ingest.accept([eventOfLine(JSON.stringify(event)).value], undefined, {
          is: 'record',
        });
    expect(await countedIn(other.log)).toEqual({ 'a later one': 3 });
  });

  it('gives the thread while it looks for moved entries', async () => {
    let atOnce = 0;
    let most = 0;
    const looking = (log: Log): Log => ({
      ...log,
      history: {
        ...log.history,
        positionOf(id) {
          atOnce += 1;
          most = Math.max(most, atOnce);
          return log.history.positionOf(id);
        },
      },
    });
    const { log, ingest } = open();
    await claimed(ingest, ['b', 'a']);
    let ended = false;
    const turn = () => {
      atOnce = 0;
      if (!ended) setImmediate(turn);
    };
    turn();
    await withdrawing(looking(log), ingest).withdraw({ ...bySession, dryRun: true });
    ended = true;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(200);
  });
});
