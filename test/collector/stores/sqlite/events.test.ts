/**
 * Reading around disk damage: every readable event is read, every other one is reported in its
 * place.
 */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readEvent } from '../../../../collector/log/stored-event.ts';
import { openSqliteLog } from '../../../../collector/stores/sqlite/log/log.ts';
import { createTextReader } from '../../../../collector/stores/sqlite/log/reads.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { eventId, exampleEvents } from '../../support/events.ts';

const directory = temporaryDirectory();
const pageBytes = 8_192;

/** A store of a number of events, about two per page, and its pages. */
async function storeOf(events: number): Promise<string> {
  const path = join(directory, `${events}.db`);
  const log = openSqliteLog({ path });
  await log.append({
    receivedAtMs: 5,
    events: exampleEvents(1, events, { data: { more: 'x'.repeat(3_000) } }),
    deadLetters: [],
  });
  await log.close();
  return path;
}

/** Overwrites the page that holds this event. */
function damagePageOf(path: string, number: number): void {
  const database = new DatabaseSync(path);
  const row = database
    .prepare("SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path")
    .all();
  database.close();
  const pages = row.map(({ pageno }) => Number(pageno));
  const descriptor = openSync(path, 'r+');
  writeSync(
    descriptor,
    Buffer.alloc(pageBytes, 0xff),
    0,
    pageBytes,
    ((pages[Math.floor((number - 1) / 2)] ?? 1) - 1) * pageBytes,
  );
  closeSync(descriptor);
}

function readerOf(path: string) {
  const database = new DatabaseSync(path);
  const readTexts = createTextReader(database);
  return {
    read: (after: number, limit: number) => readTexts(after, limit).map(readEvent),
    database,
  };
}

describe('events of a file', () => {
  it('are read in order, after a position, at most as many as asked for', async () => {
    const { read, database } = readerOf(await storeOf(7));
    expect(
      read(2, 3).map(({ position, receivedAtMs, event }) => [position, receivedAtMs, event.id]),
    ).toEqual([3, 4, 5].map((number) => [number, 5, eventId(number)]));
    expect(read(7, 10)).toEqual([]);
    database.close();
  });

  it('on a damaged page are reported in their places, and the others are read', async () => {
    const path = await storeOf(40);
    expect(statSync(path).size).toBeGreaterThan(15 * pageBytes);
    damagePageOf(path, 21);
    const { read, database } = readerOf(path);
    const events = read(0, 100);
    const damaged = events.filter(({ damage }) => damage !== undefined);
    expect(damaged.length).toBeGreaterThan(0);
    expect(damaged.length).toBeLessThan(5);
    expect(events.map(({ position }) => position)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    for (const each of damaged) {
      expect(each).toMatchObject({
        receivedAtMs: 0,
        damage: 'The page of the file that holds it is damaged.',
        event: { id: '', type: 'damaged' },
      });
    }
    const first = damaged[0]?.position ?? 0;
    expect(read(first - 3, 4).map(({ position }) => position)).toEqual([
      first - 2,
      first - 1,
      first,
      first + 1,
    ]);
    expect(
      events.filter(({ damage }) => damage === undefined).map(({ event }) => event.id),
    ).toEqual(
      events.filter(({ damage }) => damage === undefined).map(({ position }) => eventId(position)),
    );
    database.close();
  });

  it('that were deleted are passed over beside a damaged page', async () => {
    const path = await storeOf(38);
    const writer = new DatabaseSync(path);
    writer.exec('DELETE FROM events WHERE position BETWEEN 2 AND 3');
    writer.close();
    damagePageOf(path, 31);
    const { read, database } = readerOf(path);
    expect(read(0, 4).map(({ position }) => position)).toEqual([1, 4, 5, 6]);
    expect(read(0, 100).map(({ position }) => position)).toEqual([
      1,
      ...Array.from({ length: 35 }, (_, index) => index + 4),
    ]);
    database.close();
  });

  it('cannot be read of a database that was closed: that is no damage', async () => {
    const { read, database } = readerOf(await storeOf(3));
    database.close();
    expect(() => read(0, 1)).toThrow();
  });
});
