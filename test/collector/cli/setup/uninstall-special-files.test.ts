/**
 * `uninstall --data` where something else lies in the place of a file: it ends, and what lies
 * elsewhere stays. As a process: what waits for ever must not take the test with it.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger } from '../../../../collector/main.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvents } from '../../support/events.ts';

const bin = join(import.meta.dirname, '..', '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');
const root = temporaryDirectory();
const base = join(root, 'base');
const owner = 'x-x-x-1-1';

const places = [
  ...['ledger.db', 'ledger.lock', 'imports.db', 'home.key', 'collector.json', 'spool'],
  ...['spool/reader.json', 'spool/marks', 'spool/marks/session', 'spool/adopted'],
  ...[`spool/${owner}`, `spool/${owner}/00000001.ndjson`, 'spool/rejected', 'cache'],
];

/** Nothing of it may go. */
const elsewhere = join(root, 'elsewhere');

const kinds: Readonly<Record<string, (path: string) => unknown>> = {
  pipe: (path) => execFileSync('mkfifo', [path]),
  'link to a device': (path) => symlinkSync('/dev/zero', path),
  'link to a folder': (path) => symlinkSync(elsewhere, path),
  'link to a file': (path) => symlinkSync(join(elsewhere, '00000001.ndjson'), path),
};

beforeAll(async () => {
  const ledger = await openLedger(loadCollectorConfig({ PI_LEDGER_HOME: base }));
  await ledger.ingest.accept(exampleEvents(1, 5));
  await ledger.close();
  mkdirSync(join(elsewhere, owner), { recursive: true });
  for (const name of ['00000001.ndjson', 'session', `${owner}/00000001.ndjson`])
    writeFileSync(join(elsewhere, name), 'keep\n');
});

function homeWith(place: string, make: (path: string) => unknown): string {
  const home = join(mkdtempSync(join(root, 'h-')), 'home');
  cpSync(base, home, { recursive: true });
  const path = join(home, place);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  make(path);
  return home;
}

function uninstall(home: string): Promise<{ code: unknown; said: string }> {
  const env = { ...process.env, PI_LEDGER_HOME: home, HOME: dirname(home), PI_LEDGER_PORT: '0' };
  const argv = [bin, 'uninstall', '--yes', '--force', '--data', 'delete'];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, said: stdout + stderr }),
    );
  });
}

function kept(): readonly string[] {
  return readdirSync(elsewhere, { recursive: true })
    .map((name) => join(elsewhere, String(name)))
    .filter((path) => path.endsWith('n'))
    .map((path) => `${basename(path)} ${readFileSync(path, 'utf8')}`);
}

/** A pipe everywhere; links where something is read below them, or deleted. */
const cases = Object.keys(kinds).flatMap((kind) =>
  places
    .filter((place) => kind === 'pipe' || place === 'ledger.db' || place.includes('spool'))
    .filter((place) => kind === 'pipe' || !/reader|rejected|adopted/.test(place))
    .map((place) => [kind, place] as const),
);

describe('uninstall --data', () => {
  it.each(cases)('with a %s in the place of %s ends, in words', async (kind, place) => {
    const before = kept();
    const home = homeWith(place, kinds[kind] ?? String);
    const { code, said } = await uninstall(home);
    expect([0, 1]).toContain(code);
    expect(said).not.toMatch(/ {4}at |\bE[A-Z]{4,}\b|NOT_A/);
    // All goes, or what is left is named; and why.
    if (code === 1) expect(said).toContain(place.split('/')[0]);
    else if (existsSync(home)) expect(said).toContain(`left in ${home}: `);
    expect(kept()).toEqual(before);
  });
});

it('a socket in the place of a segment is no event that waits', async () => {
  const home = homeWith(`spool/${owner}/00000001.ndjson`, String);
  const server = createServer();
  const path = join(dirname(home), 's');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  execFileSync('mv', [path, join(home, `spool/${owner}/00000001.ndjson`)]);
  expect(await uninstall(home)).toMatchObject({ code: 0 });
  expect(existsSync(home)).toBe(false);
  server.close();
});

it('a link to a store elsewhere goes alone, and says that the events stay there', async () => {
  const store = join(root, 'other-disk.db');
  cpSync(join(base, 'ledger.db'), store);
  const home = homeWith('ledger.db', (path) => symlinkSync(store, path));
  const { code, said } = await uninstall(home);
  expect([code, said]).toEqual([
    0,
    expect.stringContaining(`the link to ${store}, where its 5 events stay: deleted`),
  ]);
  expect(existsSync(store)).toBe(true);
});
