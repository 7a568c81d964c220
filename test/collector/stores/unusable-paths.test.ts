/**
 * A store or a home that cannot be used: the collector, as a process, ends with 1 at once, says
 * which path and what to do, and shows neither a stack nor a code.
 */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { startCollector } from '../../../collector/main.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const bin = join(import.meta.dirname, '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');
const root = temporaryDirectory();
const another = 'Choose another path (PI_LEDGER_STORE, or "store" in config.json).';

interface Ended {
  readonly code: unknown;
  readonly said: string;
}

/** `start` on this store, as a process: what waits for ever must not take the test with it. */
function start(store: string, home: string, by: readonly string[] = []): Promise<Ended> {
  const env = { ...process.env, PI_LEDGER_HOME: home, HOME: home, PI_LEDGER_PORT: '0' };
  return new Promise((resolve) => {
    const [program = '', ...args] = [...by, process.execPath, bin, 'start'];
    const options = { env: { ...env, PI_LEDGER_STORE: `sqlite:${store}` } };
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, said: stdout + stderr }),
    );
    child.stdout?.on('data', () => child.kill('SIGTERM')); // it listens, against expectation
  });
}

function expectWords({ code, said }: Ended, ...texts: readonly string[]): void {
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringMatching(/^error: .*\n$/) });
  expect(said).not.toMatch(/ {4}at |\bE[A-Z]{4,}\b|"stack"/);
  for (const text of texts) expect(said).toContain(text);
}

const newFolder = () => mkdtempSync(join(root, 'f-'));

/** By what lies there: makes it in the folder, and gives the path of the store. */
const others: readonly (readonly [string, (folder: string) => string, string])[] = [
  ['a folder', (folder) => folder, 'is a folder, not a file. '],
  [
    'a pipe',
    (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      return join(folder, 'pipe');
    },
    `is a pipe, not a file. ${another}`,
  ],
  ['a device', () => '/dev/zero', `is a device, not a file. ${another}`],
  [
    'a text',
    (folder) => {
      writeFileSync(join(folder, 'text'), 'no database '.repeat(100));
      return join(folder, 'text');
    },
    'is not a pi-ledger store, or the start of the file is damaged: restore a backup, or choose',
  ],
  [
    'a database of another program',
    (folder) => {
      const database = new DatabaseSync(join(folder, 'other.db'));
      database.exec('CREATE TABLE theirs (value TEXT)');
      database.close();
      return join(folder, 'other.db');
    },
    'belongs to another program: choose another file.',
  ],
  [
    'a path below a file',
    (folder) => {
      writeFileSync(join(folder, 'file'), '');
      return join(folder, 'file', 'below', 'ledger.db');
    },
    `a part of this path is a file, not a folder`,
  ],
  ['a path where no folder can be made', () => '/proc/none/ledger.db', `(/proc/none). ${another}`],
  [
    'a link to itself',
    (folder) => {
      symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
      return join(folder, 'loop');
    },
    'it is a link that leads to itself',
  ],
  ['a name that is too long', (folder) => join(folder, 'x'.repeat(300)), 'its name is too long'],
  [
    'a pipe in place of the lock',
    (folder) => {
      execFileSync('mkfifo', [join(folder, 'ledger.lock')]);
      return join(folder, 'ledger.db');
    },
    'ledger.lock is a pipe, not a file. Move it away',
  ],
  [
    'a folder in place of the write-ahead log',
    (folder) => {
      mkdirSync(join(folder, 'ledger.db-wal'));
      return join(folder, 'ledger.db');
    },
    'Look at what lies there and beside it (-wal, -shm)',
  ],
];

describe('a store that cannot be used', () => {
  it.each(others)('%s', async (_what, make, text) => {
    const store = make(newFolder());
    expectWords(await start(store, newFolder()), store.slice(0, 40), text);
  });

  it('a socket', async () => {
    const path = join(newFolder(), 's');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expectWords(await start(path, newFolder()), `${path} is a socket, not a file. ${another}`);
    server.close();
  });
});

/** Root may do everything, but for what it gave up. */
const asOthers =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

describe('without permission', () => {
  it.each(['store', 'home'])('to write the folder of the %s', async (which) => {
    const [closed, open] = [newFolder(), newFolder()];
    chmodSync(closed, 0o555);
    chmodSync(open, 0o777);
    const paths =
      which === 'store'
        ? [join(closed, 'ledger.db'), open]
        : [join(open, 'ledger.db'), join(closed, 'home')];
    const ended = await start(paths[0] ?? '', paths[1] ?? '', asOthers);
    expectWords(ended, closed, 'permission denied', 'Give this user the right to write');
  });

  it.each(['file', 'folder'])('to read the %s of the settings', async (which) => {
    const home = newFolder();
    const settings = join(home, 'config.json');
    writeFileSync(settings, '{ "port": 1 }');
    chmodSync(which === 'file' ? settings : home, 0o000);
    const { code, said } = await start(join(newFolder(), 'ledger.db'), home, asOthers);
    chmodSync(home, 0o700);
    expect({ code, said }).toEqual({
      code: 2,
      said:
        `error: The configuration is not valid: ${settings} cannot be read: ` +
        'permission denied.\n',
    });
  });
});

describe('a full disk at the start', () => {
  const disk = mountSmallDisk(8) ?? '';

  it.skipIf(disk === '')(
    'of a home that has room for a part of the store: says so alone (needs to mount a tmpfs)',
    async () => {
      const filler = join(disk, 'filler');
      for (const kibibytes of [400, 800, 1_200]) {
        writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024 - kibibytes * 1024));
        const home = join(disk, `home-${kibibytes}`);
        expectWords(await start(join(home, 'ledger.db'), home), home, 'the disk is full.');
        rmSync(home, { recursive: true });
      }
      writeFileSync(filler, '');
    },
  );

  it.skipIf(disk === '').each(['store', 'home'])(
    'under the %s: says so, and starts when there is space (needs to mount a tmpfs)',
    async (which) => {
      const [filler, full] = [join(disk, 'filler'), join(disk, which)];
      expect(() => writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024))).toThrow('ENOSPC');
      const elsewhere = newFolder();
      const [store, home] =
        which === 'store' ? [join(full, 'ledger.db'), elsewhere] : [join(elsewhere, 'l.db'), full];
      expectWords(await start(store, home), full, 'the disk is full. Free some space');
      writeFileSync(filler, '');
      const env = { PI_LEDGER_HOME: home, PI_LEDGER_STORE: `sqlite:${store}`, PI_LEDGER_PORT: '0' };
      await (await startCollector(loadCollectorConfig(env), { logStream: null })).stop();
    },
  );
});
