/** What an agent loads of the bundle, and when; and that nothing is lost by what comes later. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { waitMsMax } from '../support/bounds.ts';

const extension = join(import.meta.dirname, '..', '..', 'extension');
const directory = temporaryDirectory();
const repository = join(directory, 'shop');
/** With budgets to ask for and events to send, whether or not a collector answers. */
const atIdle = [
  'ask.cjs',
  'connection.cjs',
  'exchange.cjs',
  'footer.cjs',
  'lease.cjs',
  'overview.cjs',
];

interface Loaded {
  readonly bytes: number;
  readonly files: readonly string[];
}

interface Counted {
  readonly start: Loaded;
  readonly idle: Loaded;
  readonly turn: Loaded;
}

/** As installed: the file that hosts load, and the bundle beside it. */
function installed(name: string): string {
  const folder = join(directory, name);
  mkdirSync(folder);
  copyFileSync(join(extension, 'load.cjs'), join(folder, 'load.cjs'));
  execFileSync(process.execPath, [join(extension, 'build.mjs'), join(folder, 'dist')], {
    stdio: 'pipe',
  });
  return join(folder, 'load.cjs');
}

function count(
  entry: string,
  { home, mode = 'tui', idle = [], before = '' }: CountOptions,
): Counted {
  const program = fileURLToPath(new URL('./support/counting-host.ts', import.meta.url));
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    PI_LEDGER_HOME: join(directory, home),
    PI_LEDGER_URL: 'http://127.0.0.1:9',
  };
  const argv = [program, entry, mode, JSON.stringify(idle), before];
  return JSON.parse(
    execFileSync(process.execPath, argv, {
      cwd: repository,
      env,
      encoding: 'utf8',
      timeout: waitMsMax,
    }),
  ) as Counted;
}

interface CountOptions {
  readonly home: string;
  readonly mode?: string;
  readonly idle?: readonly string[];
  readonly before?: string;
}

function typesIn(home: string): readonly string[] {
  const spool = join(directory, home, 'spool');
  return readdirSync(spool, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .flatMap((name) => readFileSync(join(spool, name), 'utf8').trim().split('\n'))
    .map((line) => (JSON.parse(line) as { type: string }).type);
}

const wholeTurn = [
  'pi.session.started.v1',
  'pi.session.attributed.v1',
  'pi.model.changed.v1',
  'pi.model.changed.v1',
  'pi.input.received.v1',
  'pi.prompt.submitted.v1',
  'pi.turn.completed.v1',
  'pi.context.sampled.v1',
  'pi.run.completed.v1',
];

let entry = '';
beforeAll(() => {
  mkdirSync(repository);
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args]);
  git('init', '--quiet', '--initial-branch', 'main');
  git('remote', 'add', 'origin', 'https://example.com/shop.git');
  entry = installed('installed');
});

describe('an agent', () => {
  it('loads at most 80 kB at its start in a repository, and 107 kB until it waits', () => {
    const { start, idle } = count(entry, { home: 'waiting', idle: atIdle });
    expect(start.files).toEqual(['git.cjs', 'index.cjs', 'load.cjs', 'start.cjs']);
    expect(start.bytes).toBeLessThanOrEqual(80_000);
    expect(idle.files).not.toContain('turns.cjs');
    expect(idle.bytes).toBeLessThanOrEqual(107_000);
  });

  it('loads what records turns with its first prompt, and misses nothing', () => {
    const { start, turn } = count(entry, { home: 'prompted' });
    expect(start.files).not.toContain('turns.cjs');
    expect(turn.files).toContain('turns.cjs');
    for (const chunk of ['budgets.cjs', 'compactions.cjs', 'ledger.cjs', 'subcommands.cjs'])
      expect(turn.files).not.toContain(chunk);
    expect(typesIn('prompted')).toEqual(wholeTurn);
  });

  it('loads what ends runs only where no person is', () => {
    expect(count(entry, { home: 'printing', mode: 'print' }).start.files).toContain('budgets.cjs');
  });

  it('records all the same when an update removes its files right after it was loaded', () => {
    const options = { home: 'updated', before: 'update' };
    const { turn } = count(installed('removed'), options);
    expect(turn.files).toContain('turns.cjs');
    const types = typesIn('updated').filter((type) => type !== 'pi.head.observed.v1');
    expect(types).toEqual(wholeTurn);
  });
});
