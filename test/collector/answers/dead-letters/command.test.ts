/** `rejected` on a store in which a page of the rejected events is damaged. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger } from '../../../../collector/main.ts';
import { commandLines } from '../../support/command-lines.ts';
import { exampleEvent } from '../../support/events.ts';

const commandLine = commandLines();
const pageBytes = 8_192;
const count = 60;
const bodyOf = (number: number) => `${JSON.stringify({ number })}${'.'.repeat(400)}`;

/** A home whose rejected events are those, but for a page in their midst. */
async function damaged(texts: readonly string[], lost: string) {
  const line = commandLine();
  const config = loadCollectorConfig(line.env);
  const ledger = await openLedger(config);
  for (const body of texts)
    await ledger.log.append({
      ...{ receivedAtMs: 7, events: [] },
      deadLetters: [{ code: 'schema', field: '/x', message: 'No.', body }],
    });
  await ledger.close();
  const path = config.store.address;
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const page = Math.floor(readFileSync(path).indexOf(lost) / pageBytes);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(pageBytes, 0xee), 0, pageBytes, page * pageBytes);
  closeSync(file);
  return line;
}

const told = /^A part of the store is damaged\. .*: those after id (\d+) and before id (\d+)\./m;

it('lists those that can be read, and names between which ids none can', async () => {
  const texts = Array.from({ length: count }, (_, index) => bodyOf(index + 1));
  const { run } = await damaged(texts, bodyOf(30));
  const { code, printed, complained } = await run('rejected', 'list', '--json');
  expect(code).toBe(1);
  const { rows, unread } = JSON.parse(printed);
  const ids: number[] = rows.map(({ id }: { id: number }) => id);
  const [, after = '', before = ''] = told.exec(complained) ?? [];
  const [first, last] = [Number(after), Number(before)];
  expect(first).toBeLessThan(30);
  expect(last).toBeGreaterThan(30);
  expect(unread).toEqual([{ after: first, before: last }]);
  const all = Array.from({ length: count }, (_, index) => index + 1);
  expect(ids).toEqual(all.filter((id) => id <= first || id >= last));
  const table = await run('rejected', 'list');
  expect(table).toMatchObject({ code: 1, complained });
  expect(table.printed.split('\n').length).toBeGreaterThan(ids.length);
});

it('tries those again that can be read, and names the others', async () => {
  const events = Array.from({ length: count }, (_, index) => exampleEvent({ number: index + 1 }));
  const texts = events.map((event) => JSON.stringify(event));
  const { run } = await damaged(texts, events[30]?.id ?? '');
  const { code, printed, complained } = await run('rejected', 'retry');
  expect(code).toBe(1);
  const [, after = '', before = ''] = told.exec(complained) ?? [];
  const readable = Number(after) + count - Number(before) + 1;
  expect(readable).toBeLessThan(count);
  expect(printed).toBe(`${readable} accepted, 0 already known, 0 rejected again.`);
  // Some beside the damage cannot be removed, which is said; what they hold is in the log.
  const kept = Number(/^(\d+) rejected events? could not be removed/m.exec(complained)?.[1] ?? 0);
  const left = await run('rejected', 'list', '--json');
  expect([left.code, JSON.parse(left.printed).rows.length]).toEqual([1, kept]);
  expect(kept).toBeLessThan(readable);
  const report = await run('report', '--json');
  expect(JSON.parse(report.printed).total.records).toBe(readable);
  const named = await run('rejected', 'retry', '31', '32');
  expect(named).toMatchObject({ code: 1, complained: expect.stringContaining('after id 30') });
});

it('is removed where it can be read', async () => {
  const texts = Array.from({ length: count }, (_, index) => bodyOf(index + 1));
  const { run } = await damaged(texts, bodyOf(30));
  const { code, printed, complained } = await run('rejected', 'remove', '--all');
  expect([code, printed]).toEqual([1, expect.stringMatching(/^\d\d removed\.$/)]);
  expect(complained).toMatch(told);
});
