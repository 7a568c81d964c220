import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { cellPosition, joinedPosition } from '../../../../collector/cells/log/cell-positions.ts';
import { joinLogs } from '../../../../collector/cells/log/joined-log.ts';
import { partitionOf } from '../../../../collector/ingest/kafka/partition-of.ts';
import type { Log } from '../../../../collector/log/log.ts';
import { openSqliteLog } from '../../../../collector/stores/sqlite/log/log.ts';
import { batchOf, letter } from '../../../suites/log/stored.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { eventId, exampleEvent, exampleEvents } from '../../support/events.ts';

const directory = temporaryDirectory();
const opened: Log[] = [];
const cellsCount = 3;

afterAll(async () => {
  await Promise.all(opened.map((log) => log.close()));
});

function open(): { single: Log; cells: readonly Log[]; joined: Log } {
  const [single, ...cells] = Array.from({ length: cellsCount + 1 }, () => {
    const log = openSqliteLog({ path: join(directory, `${opened.length}.db`) });
    opened.push(log);
    return log;
  });
  if (single === undefined) throw new Error('there is one');
  return { single, cells, joined: joinLogs(cells) };
}

async function append(cells: readonly Log[], events: readonly LedgerEvent[]): Promise<void> {
  for (const [cell, log] of cells.entries())
    await log.append(batchOf(events.filter((each) => partitionOf(each, cells.length) === cell)));
}

/** Of many sessions, so that every cell has some. */
function eventsOf(count: number): LedgerEvent[] {
  return Array.from({ length: count }, (_, index) =>
    exampleEvent({ number: index + 1, subject: `s${index % 17}` }),
  );
}

async function pages(read: (after: number) => Promise<readonly { position: number }[]>) {
  const found: { position: number }[] = [];
  for (let page = await read(0); page.length > 0; page = await read(found.at(-1)?.position ?? 0))
    found.push(...page);
  return found;
}

describe('the logs of several cells, read as one', () => {
  it('have every event once, cell after cell, however they are paged through', async () => {
    const { cells, joined } = open();
    const events = eventsOf(60);
    await append(cells, events);
    const expected = await Promise.all(
      cells.map(async (log, cell) =>
        (await log.read(0, 1_000)).map((stored) => ({
          ...stored,
          position: joinedPosition({ cell, position: stored.position }),
        })),
      ),
    );
    expect(expected.every((each) => each.length > 5)).toBe(true);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: undefined }),
        async (limit, charsMax) => {
          const read = (after: number) => joined.read(after, limit, charsMax);
          expect(await pages(read)).toEqual(expected.flat());
          const texts = (after: number) => joined.readTexts(after, limit, charsMax);
          expect((await pages(texts)).map(({ position }) => position)).toEqual(
            expected.flat().map(({ position }) => position),
          );
        },
      ),
      { numRuns: 30 },
    );
    expect(await joined.read(0, 60)).toHaveLength(60);
    expect(await joined.head()).toBe(expected.flat().at(-1)?.position);
  });

  it('are empty where no cell has anything', async () => {
    const { joined } = open();
    expect(await joined.read(0, 10)).toEqual([]);
    expect(await joined.read(joinedPosition({ cell: 9, position: 4 }), 10)).toEqual([]);
    expect([await joined.head(), await joined.receipts()]).toEqual([0, []]);
    expect(await joined.history.seal()).toBeNull();
  });

  it('have one receipt for a producer whose sessions are in several cells', async () => {
    const { single, cells, joined } = open();
    const events = eventsOf(40).filter((_, index) => index % 7 !== 3);
    await single.append(batchOf(events));
    await append(cells, events);
    expect(await joined.receipts()).toEqual(await single.receipts());
    expect(await joined.receipts(['/producers/one'])).toEqual(await single.receipts());
    expect(await joined.receipts(['/producers/two'])).toEqual([]);
  });

  it('tell where an event is and whose it was, whatever cell has it', async () => {
    const { cells, joined } = open();
    const events = eventsOf(20);
    await append(cells, events);
    for (const { id } of events) {
      const position = (await joined.history.positionOf(id)) ?? 0;
      const [stored] = await joined.read(position - 1, 1);
      expect([stored?.position, stored?.event.id]).toEqual([position, id]);
    }
    expect(await joined.history.positionOf('none')).toBeNull();
    const asked = [eventId(3), eventId(9), 'none'];
    const owners = await joined.owners(asked);
    expect(new Map(owners.map(({ eventId, subject }) => [eventId, subject]))).toEqual(
      new Map([
        [eventId(3), 's2'],
        [eventId(9), 's8'],
      ]),
    );
  });

  it('list old events by id, as one log does, also where pages are short', async () => {
    const { single, cells, joined } = open();
    const events = eventsOf(40);
    await single.append(batchOf(events));
    await append(cells, events);
    const idsIn = async (log: Log, limit: number, charsMax?: number) => {
      const ids: string[] = [];
      for (let after = ''; ; after = ids.at(-1) ?? '') {
        const page = await log.history.below(31, Number.MAX_SAFE_INTEGER, after, limit, charsMax);
        if (page.length === 0) return ids;
        ids.push(...page.map(({ event }) => event.id));
      }
    };
    const expected = await idsIn(single, 100);
    expect(expected).toHaveLength(30);
    expect(await idsIn(joined, 100)).toEqual(expected);
    expect(await idsIn(joined, 4)).toEqual(expected);
    expect(await idsIn(joined, 9, 1_500)).toEqual(expected);
    expect(await joined.history.countBelow(31)).toBe(30);
    const { cell, position } = cellPosition((await joined.history.positionOf(eventId(20))) ?? 0);
    const before = joinedPosition({ cell, position });
    for (const { event, position: at } of await joined.history.below(99, before, '', 100)) {
      expect(at).toBeLessThan(before);
      expect(partitionOf(event, cellsCount)).toBeLessThanOrEqual(cell);
    }
  });

  it('list dead letters by their cells, and remove them there', async () => {
    const { cells, joined } = open();
    for (const [cell, log] of cells.entries())
      await log.append({
        ...batchOf([]),
        deadLetters: ['a', 'b'].map((body) => letter(`${body}${cell}`)),
      });
    const bodies = async () => (await joined.deadLetters(0, 10)).map(({ body }) => body);
    expect(await bodies()).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
    const ids = (await joined.deadLetters(0, 10)).map(({ id }) => id);
    expect((await joined.deadLetters(ids[2] ?? 0, 2)).map(({ body }) => body)).toEqual([
      'b1',
      'a2',
    ]);
    await joined.removeDeadLetters([ids[0] ?? 0, ids[3] ?? 0, ids[4] ?? 0]);
    expect(await bodies()).toEqual(['b0', 'a1', 'b2']);
  });

  it('take nothing: an event is appended to the log of its cell', async () => {
    const { cells, joined } = open();
    const { history } = joined;
    const seal = { sealId: 's', floorMs: 1, first: 1, last: 1, superseded: null };
    await expect(joined.append(batchOf(exampleEvents(1, 1)))).rejects.toThrow('one by one');
    await expect(history.enforce(seal)).rejects.toThrow('one by one');
    await expect(history.expire(1)).rejects.toThrow('one by one');
    expect(await Promise.all(cells.map((log) => log.head()))).toEqual([0, 0, 0]);
  });

  it('are sealed as far as the cell with the latest floor', async () => {
    const { cells, joined } = open();
    await append(cells, eventsOf(40));
    const seal = { sealId: 'one', floorMs: 5, first: 2, last: 3, superseded: null };
    await cells[1]?.history.enforce(seal);
    const places = (cell: number, first: number, last: number) => ({
      first: joinedPosition({ cell, position: first }),
      last: joinedPosition({ cell, position: last }),
    });
    expect(await joined.history.seal()).toEqual({ ...seal, ...places(1, 2, 3) });
    await cells[2]?.history.enforce({ ...seal, sealId: 'two', floorMs: 9 });
    expect(await joined.history.seal()).toMatchObject({ sealId: 'two', ...places(2, 2, 3) });
  });
});

it('says that an event is withdrawn once all cells have the withdrawal', async () => {
  const { cells, joined } = open();
  const [taken] = eventsOf(1) as [LedgerEvent];
  await append(cells, [taken]);
  const stored = { position: 1, receivedAtMs: 1, event: taken };
  const records = { events: [taken.id], session: null, token: null };
  const withdrawal = exampleEvent({
    number: 9,
    type: 'pi.records.withdrawn.v1',
    data: { records, reason: 'x', by: null },
  });
  for (const log of cells) {
    expect((await joined.withdrawals()).names(stored)).toBe(false);
    await log.append(batchOf([withdrawal]));
  }
  expect((await joined.withdrawals()).names(stored)).toBe(true);
});
