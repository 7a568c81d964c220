/**
 * A store in which somebody changed bytes: what leaves it is whole, or says how much is missing.
 * And what lies in the place of a file: nothing waits for it, and nobody sees a stack.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { startAttacked } from './support/collector.ts';
import { bin } from './support/process.ts';

const directory = temporaryDirectory();
let settings: Readonly<Record<string, string>>;
let events = 0;

const damages = ['garbage', '', 'null', '[1]', '{"id":"x"}', 'a\u2028\r\nb'];

beforeAll(async () => {
  const collector = await startAttacked(directory);
  settings = collector.settings;
  await collector.stop();
  const database = new DatabaseSync(join(collector.home, 'attacked.db'));
  const rows = database.prepare('SELECT position FROM events').all() as { position: number }[];
  events = rows.length;
  const change = database.prepare('UPDATE events SET event = ? WHERE position = ?');
  for (const [index, text] of damages.entries()) change.run(text, rows[3 * index]?.position ?? 0);
  database.close();
});

/** What waits for ever must not take the test with it. */
function run(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...settings, PI_LEDGER_PORT: '0', PI_LEDGER_IMPORT: '0', ...more };
  const options = { env, encoding: 'utf8', timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], options);
  return { status, said: (stdout + stderr).replaceAll(/\s+/g, ' ') };
}

it('an export says how many damaged events it lacks, and the rest is whole', () => {
  const file = join(directory, 'all.ndjson');
  const { status, said } = run(['export', file]);
  expect({ status, said }).toMatchObject({ status: 1 });
  expect(said).toContain(`${damages.length} events missing: damaged in the store`);
  const lines = readFileSync(file, 'utf8').split(/\r\n|[\n\r\u0085\u2028\u2029]/);
  expect(lines.filter((line) => line !== '').map((line) => JSON.parse(line))).toHaveLength(
    events - damages.length,
  );
});

it('so do a copy and what is made of views', () => {
  const copied = run(['copy', '--to', `sqlite:${join(directory, 'copy.db')}`]);
  expect(copied.status).toBe(1);
  expect(copied.said).toContain(`: ${damages.length}. not copied: `);
  // The views are from before the damage.
  run(['rebuild', 'sessions']);
  const since = ['--since', '2026-01-01'];
  const [metrics, costs] = ['metrics', 'costs'].map((name) => join(directory, name));
  for (const words of [
    ['export-openmetrics', ...since, '--output', metrics ?? ''],
    ['export', '--focus', costs ?? ''],
    ['report'],
  ]) {
    const { status, said } = run(words);
    expect([words, status, said]).toEqual([words, 1, expect.stringContaining('missing')]);
  }
});

const places: Readonly<Record<string, (path: string) => void>> = {
  'a folder': (path) => mkdirSync(path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'no store': (path) => writeFileSync(path, 'x'.repeat(10_000)),
};

it.each(Object.keys(places))('%s in the place of the store is named, at once', (name) => {
  const home = join(directory, name);
  const path = join(home, 'ledger.db');
  mkdirSync(home);
  places[name]?.(path);
  for (const words of [['start'], ['report'], ['uninstall', '--data', '--yes']]) {
    const more = { PI_LEDGER_HOME: home, HOME: home, PI_LEDGER_STORE: `sqlite:${path}` };
    const { status, said } = run(words, more);
    if (words[0] !== 'uninstall') expect([words, status]).toEqual([words, 1]);
    expect([words, status === null]).toEqual([words, false]);
    expect(said).not.toMatch(/ at \S+ \(|"stack"/);
    if (words[0] !== 'uninstall') expect(said).toContain(path);
  }
});
