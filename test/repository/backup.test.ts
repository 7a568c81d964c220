/**
 * The backup of a SQLite store with the exact statement in docs/deploy.md: made while a collector
 * writes, and restored as the document says.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { main } from '../../collector/cli/main.ts';
import type { CollectorConfig, Environment } from '../../collector/config/config.ts';
import { openLedger } from '../../collector/main.ts';
import { recordedSessions } from '../collector/importers/support/imports.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { get, ledgerHomes, post } from '../collector/support/ledger.ts';

const document = readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8');
const [, statement = ''] =
  /^sqlite3 \/var\/lib\/pi-ledger\/ledger\.db "(.*)"$/m.exec(document) ?? [];
const documentedPath = '/var/backups/ledger-$(date +%F).db';
const report = '/v1/usage?by=session';
const batchesBefore = 10;
const batchesMax = 5_000;
const batchEvents = 100;

const homes = ledgerHomes();

describe('a backup of a SQLite store that is being written', () => {
  it('has every event acknowledged before; restored, its views agree with its log', async () => {
    const config = homes.config();
    const ledger = await openLedger(config, { now });
    const backup = join(config.home, 'backup.db');
    let sent = 0;
    const send = async (): Promise<void> => {
      expect((await post(ledger, batchOf(sent))).status).toBe(200);
      sent += 1;
    };
    while (sent < batchesBefore) await send();
    let isTaken = false;
    const taking = takeBackup(pathOf(config), backup).finally(() => {
      isTaken = true;
    });
    while (!isTaken && sent < batchesMax) await send();
    await taking;
    await send();
    await ledger.close();

    const restored = homes.config();
    mkdirSync(restored.home, { recursive: true });
    copyFileSync(backup, pathOf(restored));
    const again = await openLedger(restored, { now });
    const head = await again.log.head();
    expect(head).toBeGreaterThanOrEqual(batchesBefore * batchEvents);
    expect(head).toBeLessThan(sent * batchEvents);
    const shown = (await get(again, report)).json();
    expect(shown.total.records).toBe(head);
    await again.subscription.rebuild('sessions');
    expect((await get(again, report)).json()).toEqual(shown);

    // The extensions' way back: what is offered again counts once, and nothing is missing.
    for (let batch = 0; batch < sent; batch += 1) await post(again, batchOf(batch));
    expect((await get(again, report)).json().total.records).toBe(sent * batchEvents);
    await again.close();
  });
});

describe('a restored SQLite store', () => {
  it('gets from an import what session files have and the backup lacks, once', async () => {
    const { home, ...config } = homes.config();
    const path = pathOf({ home, ...config });
    const env = { PI_LEDGER_HOME: home, HOME: home };
    const importFrom = (name: string) => importSessions(env, join(recordedSessions, name));
    await importFrom('pi15');
    const backup = join(home, 'backup.db');
    await takeBackup(path, backup);
    await importFrom('pi073');
    const before = await totalOf(env);

    const [, removed = ''] =
      /^Restore: stop the collector, remove (.*), put the copy in place/m.exec(document) ?? [];
    for (const [, file = ''] of removed.matchAll(/`([^`]+)`/g))
      rmSync(join(home, file), { force: true });
    copyFileSync(backup, path);
    const lost = await totalOf(env);
    expect(lost.records).toBeLessThan(before.records);
    // `imports.db` was kept, and marks all of these files as read.
    expect(removed).not.toContain('imports.db');
    await importFrom('pi15');
    await importFrom('pi073');
    expect(await totalOf(env)).toEqual(before);
    expect(document).toMatch(/^pi-ledger import /m);
  });
});

interface Total {
  readonly records: number;
}

async function totalOf(env: Environment): Promise<Total> {
  const { total } = JSON.parse(await run(env, ['report', '--json'])) as { readonly total: Total };
  return total;
}

async function importSessions(env: Environment, directory: string): Promise<void> {
  await run(env, ['import', '--pi', directory]);
}

async function run(env: Environment, argv: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);
  expect(
    await main(argv, {
      env,
      columns: null,
      colour: false,
      now: () => new Date(now()),
      print,
      complain: print,
    }),
  ).toBe(0);
  return printed.join('\n');
}

function batchOf(number: number): object {
  return exampleEvents(1 + number * batchEvents, batchEvents, { subject: `session-${number % 7}` });
}

/** In a separate process, like `sqlite3`. */
async function takeBackup(path: string, to: string): Promise<void> {
  expect(statement).toContain(documentedPath);
  const script =
    "const { DatabaseSync } = require('node:sqlite'); " +
    'new DatabaseSync(process.argv[1]).exec(process.argv[2])';
  await promisify(execFile)(process.execPath, [
    '-e',
    script,
    path,
    statement.replace(documentedPath, to),
  ]);
}

function pathOf({ store }: CollectorConfig): string {
  return store.address;
}

function now(): number {
  return Date.parse('2026-11-22T12:00:00.000Z');
}
