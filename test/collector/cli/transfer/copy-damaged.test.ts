/** `copy` of a store with damaged events: it goes on, names them, and has everything else. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { logOfCell } from '../../../../collector/cells/transfer/log-of-cell.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { eventId, exampleEvents } from '../../support/events.ts';
import { openStoreToRead } from '../../support/open-store.ts';
import { newHome } from './homes.ts';
import { contentOf, copyBetween, fill, openToWrite, seal } from './stores.ts';

const directory = temporaryDirectory();
const scheme = 'sqlite:';
const pageBytes = 8_192;
let stores = 0;

function newStore(): string {
  stores += 1;
  return `${scheme}${join(directory, `${stores}.db`)}`;
}

function change(store: string, sql: string): void {
  const database = new DatabaseSync(store.slice(scheme.length));
  database.exec(sql);
  database.close();
}

async function damaged(positions: readonly number[], events = 40): Promise<string> {
  const store = newStore();
  await fill(store, events);
  for (const position of positions)
    change(store, `UPDATE events SET event = substr(event, 1, 40) WHERE position = ${position}`);
  return store;
}

/** The ids that a store has whole, in order, read with nothing of ours but the table. */
function idsOf(store: string): readonly unknown[] {
  const database = new DatabaseSync(store.slice(scheme.length), { readOnly: true });
  const ids = database.prepare('SELECT id FROM events ORDER BY position').all();
  database.close();
  return ids.map(({ id }) => id);
}

/** Overwrites the page of the file that holds this text. */
function damagePageOf(store: string, text: string): void {
  const path = store.slice(scheme.length);
  const page = Math.floor(readFileSync(path).indexOf(text) / pageBytes);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(pageBytes, 0xee), 0, pageBytes, page * pageBytes);
  closeSync(file);
}

describe('a copy of a store with damaged events', () => {
  it('names them and ends with 1; all others are there, and what is not an event', async () => {
    const [from, to] = [await damaged([3, 17]), newStore()];
    const home = newHome(directory, from);
    const { code, printed, complained } = await home.run('copy', '--to', to);
    expect(code).toBe(1);
    expect(printed).toContain('44 events copied');
    expect(complained).toContain(': 2.');
    for (const number of [3, 17])
      expect(complained).toContain(
        `not copied: ${eventId(number)} at position ${number}: Its text`,
      );
    expect(idsOf(to)).toEqual(idsOf(from).toSpliced(16, 1).toSpliced(2, 1));
    const [source, target] = [await contentOf(from), await contentOf(to)];
    expect(target.deadLetters).toEqual(source.deadLetters);
    expect(target.receipts).toEqual(source.receipts);
    expect(target.tokens).toEqual(source.tokens);
  });

  it('made again, adds only what is new', async () => {
    const [from, to] = [await damaged([3, 17]), newStore()];
    await copyBetween(from, to);
    const source = await openToWrite(from);
    await source.log.append({ receivedAtMs: 7, events: exampleEvents(100, 3), deadLetters: [] });
    await source.close();
    change(from, "UPDATE events SET event = 'null' WHERE position = 48");
    expect(await copyBetween(from, to)).toMatchObject({
      is: 'copied',
      eventsBefore: 44,
      target: { events: 46 },
      damaged: { events: 3, kept: 0 },
    });
    expect(idsOf(to).slice(-2)).toEqual([eventId(100), eventId(102)]);
  });

  it('keeps what an earlier copy has whole', async () => {
    const [from, to] = [await damaged([]), newStore()];
    await copyBetween(from, to);
    change(from, "UPDATE events SET event = '{}' WHERE position = 5");
    expect(await copyBetween(from, to)).toMatchObject({
      is: 'copied',
      eventsBefore: 46,
      target: { events: 46 },
      damaged: { events: 1, kept: 1, missing: [] },
    });
    const { code, complained } = await newHome(directory, from).run('copy', '--to', to);
    expect([code, complained]).toEqual([
      1,
      expect.stringMatching(/Damaged events in .*: 1; 1 whole in the target/),
    ]);
  });

  it('names twenty of very many, and says how many more', async () => {
    const positions = Array.from({ length: 30 }, (_, index) => index + 1);
    const [from, to] = [await damaged(positions), newStore()];
    const { code, complained } = await newHome(directory, from).run('copy', '--to', to);
    expect(code).toBe(1);
    expect(complained.match(/ at position /g)).toHaveLength(20);
    expect(complained).toContain('not copied: 10 more');
  });

  it('passes over a page that cannot be read, as export does', async () => {
    const [from, to] = [newStore(), newStore()];
    await fill(from, 400);
    change(from, 'PRAGMA wal_checkpoint(TRUNCATE)');
    const all = idsOf(from);
    damagePageOf(from, `"id":"${eventId(201)}"`);

    const home = newHome(directory, from);
    const { code, complained } = await home.run('copy', '--to', to);
    expect([code, complained]).toEqual([
      1,
      expect.stringContaining(`${eventId(201)} at position 201: The page of the file`),
    ]);
    const missing = Number(/Damaged events in .*: (\d+)\./.exec(complained)?.[1]);
    const copied = idsOf(to);
    expect(copied).toEqual(all.filter((id) => copied.includes(id)));
    expect(copied.length).toBe(all.length - missing);
    const exported = await home.run('export', join(directory, 'page.ndjson'), '--json');
    expect(exported.code).toBe(1);
    expect(JSON.parse(exported.printed)).toMatchObject({
      events: copied.length,
      damaged: missing,
    });
  });

  it('passes over a page of rejected events, and says between which ids', async () => {
    const [from, to] = [newStore(), newStore()];
    await fill(from, 10);
    const source = await openToWrite(from);
    const letters = Array.from({ length: 400 }, (_, index) => ({
      ...{ code: 'schema' as const, field: '/x', message: 'No.' },
      body: JSON.stringify({ number: index, text: 'x'.repeat(100) }),
    }));
    await source.log.append({ receivedAtMs: 7, events: [], deadLetters: letters });
    await source.close();
    change(from, 'PRAGMA wal_checkpoint(TRUNCATE)');
    damagePageOf(from, '{"number":200,');

    const { code, complained } = await newHome(directory, from).run('copy', '--to', to);
    const said = /not copied: those after (\d+) and before (\d+)\./.exec(complained);
    const [after, before] = [Number(said?.[1]), Number(said?.[2])];
    expect([code, before > after + 1]).toEqual([1, true]);
    const copied = (await contentOf(to)).deadLetters.map(({ body }) => body);
    // Five were there before, so these have the ids from 6 on.
    const whole = letters.filter((_, index) => index + 6 <= after || index + 6 >= before);
    expect(copied.slice(5)).toEqual(whole.map(({ body }) => body));
    expect(whole.map(({ body }) => body)).not.toContain(letters[200]?.body);
    expect(idsOf(to)).toEqual(idsOf(from));
  });

  it('has no seal whose part is damaged, says so, and has all else', async () => {
    const [from, to] = [newStore(), newStore()];
    await fill(from, 10);
    const { first, last } = await seal(from, 100);
    change(from, `UPDATE events SET event = '{' WHERE position = ${last - 1}`);
    expect(last - 1).toBeGreaterThan(first);
    const { code, printed, complained } = await newHome(directory, from).run('copy', '--to', to);
    expect(code).toBe(1);
    expect(complained).toContain(`is damaged at position ${last - 1}, so it does not apply`);
    expect(printed).not.toContain('now applies in the target');
    const [source, target] = [await contentOf(from), await contentOf(to)];
    expect(target).toMatchObject({ sealId: null, tokens: source.tokens });
    expect(target.receipts).toEqual(source.receipts);
    expect(idsOf(to)).toEqual(idsOf(from).filter((id) => id !== eventId(100_002)));
  });

  it('into cells has each damaged event once', async () => {
    const from = await openStoreToRead(await damaged([3, 17]));
    const cells = [0, 1, 2].map((cell) => logOfCell(from.log, { cell, cells: 3 }));
    const texts = await Promise.all(cells.map((log) => log.readTexts(0, 100)));
    expect(
      texts
        .flat()
        .map(({ position }) => position)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 46 }, (_, index) => index + 1));
    await from.close();
  });
});
