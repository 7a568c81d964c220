/** Appends to a SQLite file and reading them back, one promise of the contract at a time. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppendBatch } from '../../../../collector/log/log.ts';
import { openSqliteLog, type SqliteLog } from '../../../../collector/stores/sqlite/log/log.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { eventId, exampleEvent, exampleEvents } from '../../support/events.ts';

const directory = temporaryDirectory();
const opened: SqliteLog[] = [];
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});

let stores = 0;
function openLog(): { log: SqliteLog; path: string } {
  stores += 1;
  const path = join(directory, `${stores}.db`);
  const log = openSqliteLog({ path });
  opened.push(log);
  return { log, path };
}

const batchOf = (events: AppendBatch['events'], more: Partial<AppendBatch> = {}): AppendBatch => ({
  receivedAtMs: 7,
  events,
  deadLetters: [],
  ...more,
});
const letter = (body: string) =>
  ({ code: 'schema', field: '/data', message: 'wrong', body }) as const;
const positionsOf = (read: readonly { readonly position: number }[]) =>
  read.map(({ position }) => position);

describe('an append', () => {
  it('gives positions from 1, in order, and knows what it has', async () => {
    const { log } = openLog();
    expect(await log.append(batchOf(exampleEvents(1, 3)))).toEqual({ appended: 3, duplicates: 0 });
    const [two = exampleEvent({ number: 2 })] = exampleEvents(2, 1);
    expect(await log.append(batchOf([two, exampleEvent({ number: 4 }), two]))).toEqual({
      appended: 1,
      duplicates: 2,
    });
    const read = await log.read(0, 10);
    expect(
      read.map(({ position, receivedAtMs, event }) => [position, receivedAtMs, event.id]),
    ).toEqual([1, 2, 3, 4].map((number) => [number, 7, eventId(number)]));
    expect(await log.head()).toBe(4);
  });

  it('of nothing is nothing', async () => {
    const { log } = openLog();
    expect(await log.append(batchOf([]))).toEqual({ appended: 0, duplicates: 0 });
    expect([await log.head(), await log.read(0, 10)]).toEqual([0, []]);
  });

  it('keeps the text that came, or writes one', async () => {
    const { log } = openLog();
    const [one, two] = exampleEvents(1, 2);
    const text = JSON.stringify(one, null, 1);
    await log.append(
      batchOf(
        [one, two].flatMap((each) => each ?? []),
        { eventTexts: [text] },
      ),
    );
    expect((await log.readTexts(0, 10)).map((each) => each.text)).toEqual([
      text,
      JSON.stringify(two),
    ]);
  });

  it('that fails leaves nothing, and the next one succeeds', async () => {
    const { log, path } = openLog();
    await log.append(batchOf(exampleEvents(1, 1)));
    const other = new DatabaseSync(path);
    other.exec(
      "CREATE TRIGGER no BEFORE INSERT ON dead_letters BEGIN SELECT RAISE(FAIL, 'no letters'); END",
    );
    await expect(
      log.append(batchOf(exampleEvents(2, 2), { deadLetters: [letter('x')] })),
    ).rejects.toThrow('no letters');
    expect(positionsOf(await log.read(0, 10))).toEqual([1]);
    expect(positionsOf(await log.read(1, 10))).toEqual([]);
    other.exec('DROP TRIGGER no');
    other.close();
    expect(await log.append(batchOf(exampleEvents(2, 2)))).toEqual({ appended: 2, duplicates: 0 });
    expect(await log.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 3]] }]);
  });

  it('is seen by a reader that follows, and by one that begins again', async () => {
    const { log } = openLog();
    await log.append(batchOf(exampleEvents(1, 4)));
    expect([positionsOf(await log.read(0, 2)), positionsOf(await log.read(2, 5))]).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect([positionsOf(await log.read(0, 10)), positionsOf(await log.read(4, 10))]).toEqual([
      [1, 2, 3, 4],
      [],
    ]);
  });

  it('is refused when too much waits, and what waited is there', async () => {
    const { log } = openLog();
    const same = exampleEvent({ number: 1 });
    const waiting = Array.from({ length: 10 }, () =>
      log.append(
        batchOf(
          Array.from({ length: 4_999 }, () => same),
          { deadLetters: [letter('x')] },
        ),
      ),
    );
    await expect(log.append(batchOf([same]))).rejects.toThrow('Too many appends are waiting');
    const answers = await Promise.all(waiting);
    expect(answers.map(({ appended }) => appended)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await log.deadLetters(0, 100)).toHaveLength(10);
  });
});

describe('what was appended', () => {
  it('is told by id: whose it was said to be', async () => {
    const { log } = openLog();
    await log.append(
      batchOf([
        exampleEvent({ number: 1, subject: 'a' }),
        { ...exampleEvent({ number: 2, subject: 'b' }), ownership: 'named' },
      ]),
    );
    const owners = await log.owners([2, 1, 9].map(eventId));
    expect(owners.toSorted((x, y) => (x.eventId < y.eventId ? -1 : 1))).toEqual([
      { eventId: eventId(1), subject: 'a', ownership: null },
      { eventId: eventId(2), subject: 'b', ownership: 'named' },
    ]);
  });

  it('is read as texts, after a position, until it is long enough', async () => {
    const { log } = openLog();
    await log.append(batchOf(exampleEvents(1, 5)));
    const [first] = await log.readTexts(0, 1);
    expect(first).toEqual({
      position: 1,
      receivedAtMs: 7,
      eventId: eventId(1),
      text: JSON.stringify(exampleEvent({ number: 1 })),
    });
    expect(positionsOf(await log.readTexts(2, 2))).toEqual([3, 4]);
    expect(positionsOf(await log.readTexts(2, 9, first?.text.length))).toEqual([3]);
    expect(positionsOf(await log.readTexts(2, 9, (first?.text.length ?? 0) + 1))).toEqual([3, 4]);
  });

  it('as dead letters has ids that come once, and is removed by these', async () => {
    const { log } = openLog();
    await log.append(batchOf([], { deadLetters: ['a', 'b', 'c'].map(letter) }));
    const [a, b, c] = await log.deadLetters(0, 10);
    expect(b).toEqual({ id: (a?.id ?? 0) + 1, receivedAtMs: 7, ...letter('b') });
    expect(await log.deadLetters(a?.id ?? 0, 1)).toEqual([b]);
    expect(await log.deadLetters(0, 10, 2)).toEqual([a, b]);
    await log.removeDeadLetters([a?.id ?? 0, c?.id ?? 0, 99]);
    expect(await log.deadLetters(0, 10)).toEqual([b]);
  });
});

describe('what arrived of a producer', () => {
  it.each<
    [
      what: string,
      appends: readonly (readonly number[])[],
      ranges: readonly (readonly [number, number])[],
    ]
  >([
    ['in order', [[1], [2], [3]], [[1, 3]]],
    ['in reverse', [[3], [2], [1]], [[1, 3]]],
    [
      'with a gap',
      [[1, 2], [4]],
      [
        [1, 2],
        [4, 4],
      ],
    ],
    ['with a gap that is filled', [[1, 2], [4], [3]], [[1, 4]]],
    ['with two that are filled by one', [[1], [3], [9], [2, 4, 5, 6, 7, 8]], [[1, 9]]],
    ['once more', [[1, 2, 3], [2], [1, 2, 3]], [[1, 3]]],
    [
      'over what was there',
      [[3, 4], [8], [1, 2, 3, 4, 5, 6]],
      [
        [1, 6],
        [8, 8],
      ],
    ],
    [
      'from within to beyond',
      [
        [1, 2, 3],
        [2, 3, 4],
      ],
      [[1, 4]],
    ],
    [
      'right in front of a range and behind none',
      [[5], [1], [4]],
      [
        [1, 1],
        [4, 5],
      ],
    ],
  ])('%s is known by ranges', async (_how, appends, ranges) => {
    const { log } = openLog();
    for (const numbers of appends)
      await log.append(batchOf(numbers.map((number) => exampleEvent({ number }))));
    expect(await log.receipts()).toEqual([{ source: '/producers/one', ranges }]);
  });

  it('is told apart by producer, of those that are asked for or of all', async () => {
    const { log } = openLog();
    const of = (source: string, number: number, sequence: number) =>
      exampleEvent({ number, source, sequence });
    await log.append(
      batchOf([
        of('/b', 1, 5),
        of('/a', 2, 1),
        of('/b', 3, 6),
        of('/importers/pi', 4, 0),
        of('/a', 5, 3),
      ]),
    );
    const [a, b] = [
      {
        source: '/a',
        ranges: [
          [1, 1],
          [3, 3],
        ],
      },
      { source: '/b', ranges: [[5, 6]] },
    ];
    expect(await log.receipts()).toEqual([a, b]);
    expect(await log.receipts(['/b', '/never', '/importers/pi'])).toEqual([b]);
    expect(await log.receipts([])).toEqual([]);
  });

  it('and was refused did arrive', async () => {
    const { log } = openLog();
    await log.append(
      batchOf([exampleEvent({ number: 1 })], {
        refused: [{ source: '/producers/one', sequence: '0000000002' }, { source: '/x' }],
      }),
    );
    expect(await log.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 2]] }]);
  });
});

describe('a store', () => {
  it('has the pages and the write-ahead log that its commits were measured with', () => {
    const { path } = openLog();
    const database = new DatabaseSync(path);
    expect([
      database.prepare('PRAGMA page_size').get(),
      database.prepare('PRAGMA journal_mode').get(),
    ]).toEqual([{ page_size: 8_192 }, { journal_mode: 'wal' }]);
    database.close();
  });

  it('may be in memory, for as long as it is open', async () => {
    const log = openSqliteLog({ path: ':memory:' });
    opened.push(log);
    await log.append(batchOf(exampleEvents(1, 2)));
    expect(await log.head()).toBe(2);
  });

  it('of something else is refused for reading, too, and named', () => {
    stores += 1;
    const path = join(directory, `${stores}.db`);
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE x (y)');
    database.close();
    expect(() => openSqliteLog({ path, readOnly: true })).toThrow(
      `${path} is not a pi-ledger store: choose another file.`,
    );
  });

  it('that was closed can be closed again', async () => {
    const { log } = openLog();
    await log.close();
    await expect(log.close()).resolves.toBeUndefined();
  });
});
