/** Entries that sessions of several cells claim: each counts once, for its best owner. */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createClaimsDesk, createSettling } from '../../collector/cells/kafka/claims.ts';
import { createIngest } from '../../collector/ingest/ingest.ts';
import { partitionOf } from '../../collector/ingest/kafka/partition-of.ts';
import type { Log } from '../../collector/log/log.ts';
import { mongodb } from '../../collector/stores/mongodb/driver.ts';
import { exampleEvent } from '../collector/support/events.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();
const cells = 3;
/** They are in all three cells. */
const subjects = ['a', 'b', 'c', 'd', 'e', 'f'];
/** Better owners first; of equals, the one whose id sorts first. */
const certainties = [undefined, 'unsure', 'named', 'assumed'] as const;

interface Claim {
  readonly entry: number;
  readonly subject: string;
  readonly certainty: number;
}

function eventOf({ entry, subject, certainty }: Claim): LedgerEvent {
  const ownership = certainties[certainty];
  const event = exampleEvent({ number: entry, subject });
  return ownership === undefined ? event : { ...event, ownership };
}

function ownersOf(claims: readonly Claim[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const of of Map.groupBy(claims, ({ entry }) => entry).values()) {
    const [best] = of.toSorted(
      (left, right) => left.certainty - right.certainty || (left.subject < right.subject ? -1 : 1),
    );
    if (best !== undefined) counts.set(best.subject, (counts.get(best.subject) ?? 0) + 1);
  }
  return counts;
}

/** Cells whose moves and claims go as through Kafka, without it: claims wait to be settled. */
async function openCells() {
  const options = { now: Date.now, onError: () => undefined, cells };
  const stores = (await mongodb.openCells?.(databases.uri(), options)) ?? [];
  for (const { right } of stores) await right.take();
  const logs = stores.map(({ log }) => log);
  const claimed: LedgerEvent[] = [];
  const logOf = (event: LedgerEvent): Log => {
    const log = logs[partitionOf(event, cells)];
    if (log === undefined) throw new Error('There is no such cell.');
    return log;
  };
  const append: Log['append'] = async ({ events, receivedAtMs }) => {
    for (const event of events)
      await logOf(event).append({ receivedAtMs, events: [event], deadLetters: [] });
    return { appended: events.length, duplicates: 0 };
  };
  const claim = async (events: readonly LedgerEvent[]) => void claimed.push(...events);
  const ingests = logs.map((log) =>
    createIngest({
      ...{ log, now: Date.now, onAppended: () => undefined },
      ownership: createClaimsDesk(log, { claim }),
    }),
  );
  const settle = createSettling(logs, { append });
  return {
    stores,
    offer: (event: LedgerEvent) => ingests[partitionOf(event, cells)]?.accept([event]),
    async settleAll() {
      for (const event of claimed.splice(0))
        await settle([event], Date.now(), new AbortController().signal);
    },
    async counts(): Promise<ReadonlyMap<string, number>> {
      const counts = new Map<string, number>();
      for (const log of logs)
        for (const { event } of await log.read(0, 1_000)) {
          expect(logOf(event)).toBe(log);
          counts.set(event.subject, (counts.get(event.subject) ?? 0) + timesCounted(event));
        }
      return new Map([...counts].filter(([, count]) => count !== 0).toSorted());
    },
  };
}

function timesCounted(event: LedgerEvent): number {
  if (event.type !== 'pi.entry.moved.v1') return 1;
  return { in: 1, out: -1, stay: 0 }[event.data.role];
}

const claims = fc.array(
  fc.record({
    entry: fc.integer({ min: 1, max: 3 }),
    subject: fc.constantFrom(...subjects),
    certainty: fc.nat(certainties.length - 1),
  }),
  { minLength: 2, maxLength: 10 },
);

it('divides these sessions among all cells', () => {
  const used = new Set(
    subjects.map((subject) => partitionOf(exampleEvent({ number: 1, subject }), cells)),
  );
  expect(used.size).toBe(cells);
});

it('gives each entry to its best owner once, in any order, settled early or late', async () => {
  await fc.assert(
    fc.asyncProperty(claims, fc.array(fc.boolean(), { minLength: 10 }), async (said, settles) => {
      const ledger = await openCells();
      for (const [at, each] of said.entries()) {
        await ledger.offer(eventOf(each));
        if (settles[at]) await ledger.settleAll();
      }
      await ledger.settleAll();
      expect(await ledger.counts()).toEqual(new Map([...ownersOf(said)].toSorted()));
      // Offered once more, nothing changes.
      for (const each of said) await ledger.offer(eventOf(each));
      await ledger.settleAll();
      expect(await ledger.counts()).toEqual(new Map([...ownersOf(said)].toSorted()));
      for (const store of ledger.stores) await store.close();
    }),
    { numRuns: 12 },
  );
});

it('never counts an entry twice while its moves are under way', async () => {
  const ledger = await openCells();
  for (const certainty of [3, 2, 1, 0])
    for (const subject of subjects) {
      await ledger.offer(eventOf({ entry: 1, subject, certainty }));
      const settling = ledger.settleAll();
      const total = [...(await ledger.counts()).values()].reduce((sum, count) => sum + count, 0);
      expect(total).toBeLessThanOrEqual(1);
      await settling;
    }
  expect([...(await ledger.counts())]).toEqual([['a', 1]]);
  for (const store of ledger.stores) await store.close();
});
