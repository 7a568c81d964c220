/**
 * A store that is put back from a backup, behind a running collector, and an importer elsewhere
 * that reaches it by url and token: the next import notices, and everything is there once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import {
  answer,
  append,
  newSession,
  toolCall,
  toolResult,
} from '../extension/support/fake-session.ts';
import { writeSession } from './importers/support/files.ts';
import { at } from './importers/support/ways.ts';
import { type CommandLine, commandLine } from './reconcile/support/command-line.ts';
import { temporaryDirectory } from './support/directory.ts';

const directory = temporaryDirectory();
const bin = join(import.meta.dirname, '..', '..', 'collector', 'bin', 'pi-ledger.mjs');
const suffixes = ['', '-wal', '-shm'];
let running: ChildProcess | null = null;

/** Answers its url. */
async function start(home: string): Promise<string> {
  const env = { ...process.env, PI_LEDGER_HOME: home, PI_LEDGER_PORT: '0', PI_LEDGER_IMPORT: '0' };
  running = spawn(process.execPath, [bin, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  running.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await expect.poll(() => said, { interval: 10 }).toMatch(/http:\S+/);
  return /http:\S+/.exec(said)?.[0] ?? '';
}

async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (running === null || running.exitCode !== null) return;
  const ended = once(running, 'exit');
  running.kill(signal);
  running = null;
  await ended;
}

afterEach(() => stop('SIGKILL'));

function session(id: string, minute: number, answers: number) {
  const made = newSession(id, at(minute));
  for (let each = 1; each <= answers; each++)
    append(made, `${id}-${each}`, at(minute + each), answer(`r-${id}-${each}`));
  return made;
}

interface Machines {
  readonly collector: CommandLine;
  readonly importer: CommandLine;
  readonly sessions: string;
  startCollector(): Promise<void>;
  importAll(): Promise<Record<string, unknown>>;
}

async function machines(...more: string[]): Promise<Machines> {
  const collector = commandLine(directory, { auth: 'required' });
  const importer = commandLine(directory);
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  const scopes = ['--scope', 'ingest', '--scope', 'read', ...more];
  const made = await collector.run('token', 'create', '--user', 'ada', ...scopes, '--json');
  const { token } = JSON.parse(made.printed);
  return {
    collector,
    importer,
    sessions,
    async startCollector() {
      const url = await start(collector.home);
      writeFileSync(join(importer.home, 'config.json'), JSON.stringify({ url, token }));
    },
    async importAll() {
      const { printed: said, complained } = await importer.run(
        'import',
        '--json',
        '--pi',
        sessions,
      );
      if (said === '') throw new Error(complained);
      return JSON.parse(said);
    },
  };
}

/** How a store is copied, while the collector runs, to where it comes back from. */
const backups: Record<string, (home: string, to: string) => void> = {
  'by VACUUM INTO'(home, to) {
    const database = new DatabaseSync(join(home, 'ledger.db'));
    database.exec(`VACUUM INTO '${join(to, 'ledger.db')}'`);
    database.close();
  },
  'as a file with its -wal'(home, to) {
    for (const suffix of ['', '-wal'])
      copyFileSync(join(home, `ledger.db${suffix}`), join(to, `ledger.db${suffix}`));
  },
};

function restore(from: string, home: string): void {
  for (const suffix of suffixes) {
    const [backup, file] = [from, home].map((within) => join(within, `ledger.db${suffix}`));
    if (backup === undefined || file === undefined) continue;
    rmSync(file, { force: true });
    if (existsSync(backup)) copyFileSync(backup, file);
  }
}

async function recordsIn({ importer }: Machines): Promise<number> {
  const { printed } = await importer.run('report', '--json');
  return JSON.parse(printed).total.records;
}

it.each(Object.entries(backups))(
  'has everything once after the next import, copied %s',
  async (_how, copy) => {
    const all = await machines();
    const backup = mkdtempSync(join(directory, 'backup-'));
    await all.startCollector();
    writeSession(all.sessions, session('one', 0, 2));
    await all.importAll();
    copy(all.collector.home, backup);
    writeSession(all.sessions, session('one', 0, 3));
    writeSession(all.sessions, session('two', 10, 2));
    expect(await all.importAll()).toMatchObject({ wasPutBack: false });
    expect(await recordsIn(all)).toBe(5);
    await stop();
    restore(backup, all.collector.home);
    await all.startCollector();
    expect(await recordsIn(all)).toBe(2);
    writeSession(all.sessions, session('three', 20, 1));
    expect(await all.importAll()).toMatchObject({ wasPutBack: true });
    expect(await recordsIn(all)).toBe(6);
    expect(await all.importAll()).toMatchObject({ wasPutBack: false, events: { new: 0 } });
    expect(await all.collector.run('reconcile', '--pi', all.sessions)).toMatchObject({ code: 0 });
  },
);

it('still knows a subagent whose file was deleted, when its parent comes again', async () => {
  const all = await machines('--scope', 'admin');
  const backup = mkdtempSync(join(directory, 'backup-'));
  const [parent, child] = family();
  await all.startCollector();
  const path = writeSession(all.sessions, child);
  await all.importAll();
  rmSync(path);
  backups['by VACUUM INTO']?.(all.collector.home, backup);
  writeSession(all.sessions, parent);
  await all.importAll();
  expect(await recordsIn(all)).toBe(3);
  await stop();
  restore(backup, all.collector.home);
  await all.startCollector();
  expect(await all.importAll()).toMatchObject({ wasPutBack: true });
  expect(await recordsIn(all)).toBe(3);
  expect((await all.collector.run('reconcile', '--pi', all.sessions)).code).toBe(0);
});

/** A session whose tool result repeats what its subagent answered. */
function family() {
  const [parent, child] = [newSession('parent', at(0)), newSession('child', at(2))];
  for (const minute of [3, 4])
    append(child, `c${minute}`, at(minute), answer(`c${minute}`, { timestamp: at(minute) }));
  const messages = child.entries.map(({ message }) => message);
  append(parent, 'p1', at(1), answer('p1', { content: [toolCall('t1', 'subagent')] }));
  const details = { results: [{ agent: 'worker', messages }] };
  append(parent, 'p2', at(5), toolResult('t1', 'subagent', false, details));
  return [parent, child] as const;
}
