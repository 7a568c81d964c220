import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, reportsOf, work } from '../collector/cli/transfer/homes.ts';
import { copyUnderKills } from '../collector/cli/transfer/kills.ts';
import {
  contentOf,
  copyBetween,
  fill,
  openToWrite,
  seal,
  withoutPositions,
} from '../collector/cli/transfer/stores.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { openStoreToRead } from '../collector/support/open-store.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();
const directory = temporaryDirectory();
let files = 0;

function newFile(): string {
  files += 1;
  return `sqlite:${join(directory, `${files}.db`)}`;
}

describe('a ledger that moves house', () => {
  it('is the same in MongoDB, and the same again back in a file', async () => {
    const [from, there, back] = [newFile(), databases.uri(), newFile()];
    await fill(from, 3_000);
    const forth = await copyBetween(from, there);
    expect(forth).toMatchObject({
      is: 'copied',
      source: { events: 3_006 },
      deadLetters: { added: 5 },
      receiptsAdded: 5,
      tokens: { added: 2 },
    });
    const again = await copyBetween(there, back);
    expect(again).toMatchObject({
      is: 'copied',
      target: forth.is === 'copied' ? forth.target : {},
    });
    const content = await contentOf(from);
    expect(await contentOf(there)).toEqual(content);
    expect(await contentOf(back)).toEqual(content);
  });

  it('resumes a copy into MongoDB after kill -9 at any point, and ends complete', async () => {
    const [from, to] = [newFile(), databases.uri()];
    await fill(from, 8_000);
    const phases = await copyUnderKills(from, to, 5, 20);
    expect([...phases]).toContain('copying');
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });

  it('gives the same reports from MongoDB, and its export is the same log in a file', async () => {
    const [home, moved, restored] = [
      newHome(directory),
      newHome(directory, databases.uri()),
      newHome(directory),
    ];
    const events = await work(home);
    const file = join(directory, 'moved.ndjson');
    const { code, printed } = await home.run(
      'copy',
      '--to',
      moved.env.PI_LEDGER_STORE ?? '',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({ is: 'copied', target: { events } });
    const reports = await reportsOf(home);
    expect(await reportsOf(moved)).toEqual(reports);
    expect(await moved.run('export', file)).toMatchObject({ code: 0 });
    expect(await restored.run('import-events', file)).toMatchObject({ code: 0, complained: '' });
    expect(await reportsOf(restored)).toEqual(reports);
  });

  it('keeps what was sealed, there and back', async () => {
    const [from, there, back] = [newFile(), databases.uri(), newFile()];
    const { floorMs } = await seal(from, 20);
    expect(await copyBetween(from, there)).toMatchObject({ is: 'copied', isSealAdded: true });
    const target = await openToWrite(there);
    expect(await target.log.history.seal()).toMatchObject({ first: 1, last: 3, floorMs });
    expect(
      await target.log.append({
        receivedAtMs: 1,
        events: exampleEvents(3, 1, { sequence: 0 }),
        deadLetters: [],
      }),
    ).toMatchObject({
      expired: 1,
    });
    await target.close();
    expect(await copyBetween(there, back)).toMatchObject({ is: 'copied', isSealAdded: true });
    expect(withoutPositions(await contentOf(there))).toEqual(
      withoutPositions(await contentOf(from)),
    );
    expect(withoutPositions(await contentOf(back))).toEqual(
      withoutPositions(await contentOf(from)),
    );
  });

  it('is only read, beside the collector that writes it', async () => {
    const from = databases.uri();
    const writing = await openToWrite(from);
    await writing.log.append({ receivedAtMs: 1, events: exampleEvents(1, 20), deadLetters: [] });
    const to = newFile();
    expect(await copyBetween(from, to)).toMatchObject({ is: 'copied', target: { events: 20 } });
    await writing.log.append({ receivedAtMs: 2, events: exampleEvents(21, 5), deadLetters: [] });
    expect(writing.right.isHeld()).toBe(true);
    expect(await copyBetween(from, to)).toMatchObject({
      is: 'copied',
      eventsBefore: 20,
      target: { events: 25 },
    });
    await writing.close();
    const { log, close } = await openStoreToRead(from);
    await expect(
      log.append({ receivedAtMs: 1, events: exampleEvents(50, 1), deadLetters: [] }),
    ).rejects.toMatchObject({
      code: 'standing_by',
    });
    await close();
    await expect(openStoreToRead(databases.uri())).rejects.toMatchObject({
      code: 'store_missing',
    });
  });
});
