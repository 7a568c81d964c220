/** What a long run has found so far, kept in a file that the next part goes on from. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Outcome } from './episode.ts';
import { type Kills, serverKillsIn } from './steps/tally.ts';

/** Without the history of episodes in which all held. */
type Kept = Omit<Outcome, 'history'> & {
  readonly commit: string;
  readonly history?: readonly string[];
};

export interface Results {
  readonly target: string;
  readonly seed: number;
  readonly episodes: readonly Kept[];
}

/** Throws if the file holds another run's results. */
export function readResults(path: string | null, target: string, seed: number): Results {
  if (path === null || !existsSync(path)) return { target, seed, episodes: [] };
  const found = JSON.parse(readFileSync(path, 'utf8')) as Results;
  if (found.target !== target || found.seed !== seed)
    throw new Error(`${path} is of ${found.target} with seed ${found.seed}.`);
  return found;
}

export function withOutcome(results: Results, { history, ...outcome }: Outcome): Results {
  const isGood = outcome.violations.length === 0 && outcome.gaveUp === null;
  const kept = { ...outcome, commit: commit(), ...(isGood ? {} : { history }) };
  return { ...results, episodes: [...results.episodes, kept] };
}

/** The old file or the new one, whatever happens. */
export function writeResults(path: string, results: Results): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(results, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}

export interface Sums {
  readonly byKind: Readonly<Record<string, Kills>>;
  /** Of servers, while writes were in flight. */
  readonly inFlight: number;
  readonly events: number;
  readonly lost: number;
  readonly double: number;
  readonly moved: number;
  readonly violations: number;
  /** Episodes in which the harness gave up: in no other figure. */
  readonly unjudged: number;
  readonly seconds: number;
}

/** Of the episodes that were judged. */
export function sumsOf(results: Results): Sums {
  const episodes = results.episodes.filter(({ gaveUp }) => gaveUp === null);
  const sum = (of: (each: Kept) => number): number =>
    episodes.reduce((total, each) => total + of(each), 0);
  const kinds = [...new Set(episodes.flatMap(({ kills }) => Object.keys(kills)))].toSorted();
  const ofKind = (kind: string): Kills => ({
    kills: sum(({ kills }) => kills[kind as keyof typeof kills]?.kills ?? 0),
    inFlight: sum(({ kills }) => kills[kind as keyof typeof kills]?.inFlight ?? 0),
  });
  return {
    byKind: Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])),
    inFlight: sum(({ kills }) => serverKillsIn(kills)),
    events: sum(({ events }) => events),
    lost: sum(({ lost }) => lost),
    double: sum(({ double }) => double),
    moved: sum(({ moved }) => moved),
    violations: sum(({ violations }) => violations.length),
    unjudged: results.episodes.length - episodes.length,
    seconds: sum(({ seconds }) => seconds),
  };
}

/** How much of the whole was run, in a line. */
export function progressOf(results: Results, killsWanted: number): string {
  const sums = sumsOf(results);
  const { byKind, inFlight, events, lost, double, moved, violations, unjudged, seconds } = sums;
  const share = Math.floor((100 * inFlight) / killsWanted);
  const each = Object.entries(byKind).map(
    ([kind, kills]) => `${kind} ${kills.inFlight} of ${kills.kills}`,
  );
  return [
    `${results.target}, seed ${results.seed}: ${inFlight} of ${killsWanted} kills of servers`,
    `with writes in flight (${share} %), in ${results.episodes.length} episodes of ${seconds} s;`,
    `in flight by victim: ${each.join(', ')};`,
    `${events} events, ${lost} lost, ${double} double, ${violations} violations;`,
    `${moved} entries counted in a fork first, and were moved to their session;`,
    `${unjudged} episodes not judged`,
  ].join(' ');
}

/** Of the code under test; with a plus if files differ from it. */
function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? '+' : ''}`;
}
