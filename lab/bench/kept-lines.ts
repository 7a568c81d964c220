/**
 * Long runs are made in parts: each part goes on where the last one ended, and what it found stays
 * as a line in `~/.cache/pi-ledger-test/bench`, or PI_LEDGER_BENCH_CACHE.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, loadavg } from 'node:os';
import { join } from 'node:path';

/** What has to be known of a figure later. */
export interface Stamp {
  readonly at: string;
  readonly commit: string;
  /** How many processes wanted a core, in the last minute. */
  readonly load: number;
}

export interface KeptLines<Line> {
  /** For what the next part needs, beside the lines. */
  readonly home: string;
  all(): readonly (Line & Stamp)[];
  add(line: Line): Line & Stamp;
  /** Begins anew. */
  clear(): void;
}

export function benchCache(): string {
  return process.env.PI_LEDGER_BENCH_CACHE ?? join(homedir(), '.cache', 'pi-ledger-test', 'bench');
}

export function keptLines<Line>(name: string): KeptLines<Line> {
  const directory = join(benchCache(), name);
  const home = join(directory, 'home');
  const path = join(directory, 'lines.ndjson');
  const create = (): unknown => mkdirSync(home, { recursive: true, mode: 0o700 });
  create();
  return {
    home,
    all: () => (existsSync(path) ? linesIn(readFileSync(path, 'utf8')) : []),
    add(line) {
      const stamped = { ...line, ...stamp() };
      appendFileSync(path, `${JSON.stringify(stamped)}\n`);
      return stamped;
    },
    clear() {
      rmSync(directory, { recursive: true, force: true });
      create();
    },
  };
}

function linesIn<Line>(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

function stamp(): Stamp {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=8'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  }).trim();
  return { at: new Date().toISOString(), commit, load: Number(loadavg()[0]?.toFixed(1)) };
}
