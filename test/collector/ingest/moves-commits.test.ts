/** How often the disk is flushed when entries move: counted in the store's write-ahead log. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createIngest } from '../../../collector/ingest/ingest.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { exampleEvents } from '../support/events.ts';

const root = temporaryDirectory();

const walHeaderBytes = 32;
const frameHeaderBytes = 24;

/** Each transaction ends with a frame that says how many pages the database has after it. */
function commitsIn(wal: Buffer): number {
  const pageBytes = wal.readUInt32BE(8);
  const salt = wal.toString('hex', 16, 24);
  let commits = 0;
  for (let at = walHeaderBytes; at < wal.length; at += frameHeaderBytes + pageBytes) {
    if (wal.toString('hex', at + 8, at + 16) !== salt) break;
    if (wal.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

function open() {
  const path = join(mkdtempSync(join(root, 'store-')), 'ledger.db');
  const log = openSqliteLog({ path });
  const ingest = createIngest({ log, now: Date.now, onAppended: () => undefined });
  return { log, ingest, commits: () => commitsIn(readFileSync(`${path}-wal`)) };
}

const entries = 100;

it('entries that move to their owner in one delivery take one transaction together', async () => {
  const { log, ingest, commits } = open();
  const own = exampleEvents(1, entries, { sequence: 0 }).map((event) => ({
    ...event,
    subject: 'a',
  }));
  const copies = own.map((event) => ({ ...event, subject: 'b', ownership: 'named' as const }));
  await ingest.accept(copies);
  const before = commits();
  expect(await ingest.accept(own)).toMatchObject({ accepted: 0, duplicates: entries });
  expect(await log.head()).toBe(entries * 3);
  expect(commits() - before).toBe(1);
  await log.close();
});
