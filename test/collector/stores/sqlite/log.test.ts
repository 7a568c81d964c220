import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { AppendBatch } from '../../../../collector/log/log.ts';
import { openSqliteLog } from '../../../../collector/stores/sqlite/log/log.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvents } from '../../support/events.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

const directory = temporaryDirectory();
const batchOf = (events: AppendBatch['events']): AppendBatch => ({
  receivedAtMs: 1,
  events,
  deadLetters: [],
});

describe('the store file', () => {
  it('is made for its owner alone, and so are its companions and directory', async () => {
    const path = join(directory, 'home', 'ledger.db');
    const log = openSqliteLog({ path });
    await log.append(batchOf(exampleEvents(1, 1)));
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'home')).mode & 0o777).toBe(0o700);
    await log.close();
  });

  it('keeps its id and its time of creation', async () => {
    const path = join(directory, 'id.db');
    const first = openSqliteLog({ path, now: () => 17 });
    const { storeId } = first;
    await first.close();
    const second = openSqliteLog({ path, now: () => 18 });
    expect(second).toMatchObject({ storeId, createdAtMs: 17 });
    await second.close();
  });

  it('of a newer schema is refused, and named', async () => {
    const path = join(directory, 'newer.db');
    await openSqliteLog({ path }).close();
    const database = new DatabaseSync(path);
    database.exec("UPDATE meta SET value = '99' WHERE key = 'log_schema_version'");
    database.close();
    expect(() => openSqliteLog({ path })).toThrow(
      expect.objectContaining({ code: 'store_too_new', message: expect.stringContaining('99') }),
    );
  });

  it('that is something else is refused and left as it is', () => {
    const text = join(directory, 'text.db');
    writeFileSync(text, 'dear diary, '.repeat(100));
    expect(() => openSqliteLog({ path: text })).toThrow(
      expect.objectContaining({ code: 'store_invalid' }),
    );
    expect(readFileSync(text, 'utf8')).toContain('dear diary');

    const foreign = join(directory, 'foreign.db');
    const database = new DatabaseSync(foreign);
    database.exec('CREATE TABLE events (what TEXT)');
    database.close();
    expect(() => openSqliteLog({ path: foreign })).toThrow(
      expect.objectContaining({ code: 'store_invalid' }),
    );
  });
});

describe('a log that is opened for reading', () => {
  it('reads what the writer appends, and appends nothing', async () => {
    const path = join(directory, 'shared.db');
    const writer = openSqliteLog({ path });
    await writer.append(batchOf(exampleEvents(1, 2)));
    const reader = openSqliteLog({ path, readOnly: true });
    expect(await reader.head()).toBe(2);
    await writer.append(batchOf(exampleEvents(3, 1)));
    expect(await reader.read(2, 10)).toHaveLength(1);
    await expect(reader.append(batchOf(exampleEvents(4, 1)))).rejects.toThrow('read-only');
    await expect(reader.removeDeadLetters([1])).rejects.toThrow();
    await Promise.all([reader.close(), writer.close()]);
  });

  it('creates nothing where there is no store', () => {
    const path = join(directory, 'none.db');
    expect(() => openSqliteLog({ path, readOnly: true })).toThrow(
      expect.objectContaining({ code: 'store_missing' }),
    );
    expect(existsSync(path)).toBe(false);
  });
});

describe('two writers at once', () => {
  it('both keep positions without gaps and lose nothing', async () => {
    const path = join(directory, 'two.db');
    const one = openSqliteLog({ path });
    const two = openSqliteLog({ path });
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        one.append(batchOf(exampleEvents(round * 4, 3))),
        two.append(batchOf(exampleEvents(round * 4 + 2, 3))),
      ]);
    }
    const stored = await one.read(0, 100);
    expect(stored.map(({ position }) => position)).toEqual(stored.map((_, index) => index + 1));
    expect(await two.read(0, 100)).toEqual(stored);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('a full disk', () => {
  const disk = mountSmallDisk(3);

  it.skipIf(disk === null)(
    'rejects the whole append, and accepts it again when there is space (mounts a tmpfs)',
    async () => {
      const log = openSqliteLog({ path: join(disk ?? '', 'ledger.db') });
      const filler = join(disk ?? '', 'filler');
      writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024));
      let number = 1;
      const fill = async () => {
        for (; ; number += 100) await log.append(batchOf(exampleEvents(number, 100)));
      };
      await expect(fill()).rejects.toThrow('full');
      const head = await log.head();
      expect(head).toBe(number - 1);
      await expect(log.append(batchOf(exampleEvents(number, 100)))).rejects.toThrow('full');
      expect(await log.receipts()).toEqual(
        head === 0 ? [] : [{ source: '/producers/one', ranges: [[1, head]] }],
      );
      writeFileSync(filler, '');
      expect(await log.append(batchOf(exampleEvents(number, 100)))).toEqual({
        appended: 100,
        duplicates: 0,
      });
      expect(await log.read(0, 10_000)).toHaveLength(head + 100);
      await log.close();
    },
  );
});
