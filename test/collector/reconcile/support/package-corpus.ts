/**
 * The corpus' recordings of real packages, and what is right for each: an oracle that only reads
 * what the fake model answered. No code of the product, nor of any package, is involved.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpusDirectory } from './corpus.ts';

/** How a ledger came to know of a recording. */
export type Way = 'live' | 'import' | 'both';

interface Seen {
  /** The numbers of the requests of which nothing that this way reads has the usage. */
  readonly unseen: readonly number[];
  /** How many records without figures stand for them. */
  readonly unreported?: number;
}

interface Told {
  readonly about: string;
  readonly live?: Seen;
  readonly import?: Seen;
  /** The numbers of the requests that nobody may record. */
  readonly private?: readonly number[];
  /** pi unless told. */
  readonly host?: 'pi' | 'omp';
  /** Where its session files are in the home, if that is not where the host keeps them. */
  readonly directory?: string;
}

export interface PackageCase extends Told {
  readonly host: 'pi' | 'omp';
  /** `<package>-<version>/<scenario>`. */
  readonly name: string;
  /** The user's home as host and package left it. */
  readonly home: string;
  /** What the extension recorded live, one file for each process; empty if it was not there. */
  readonly events: readonly string[];
}

/** What a ledger must say. */
export interface PackageTotals {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly nanoUsd: bigint;
  readonly unreportedRecords: number;
}

const directory = join(corpusDirectory, 'packages');

export function packageCases(): readonly PackageCase[] {
  const lines = JSON.parse(readFileSync(join(corpusDirectory, 'packages.json'), 'utf8')) as Record<
    string,
    Told
  >;
  return Object.entries(lines).map(([name, told]) => ({
    name,
    host: 'pi',
    ...told,
    home: join(directory, name, 'home'),
    events: filesBelow(join(directory, name, 'spool'), '.ndjson'),
  }));
}

/** The recordings' folders, whether or not `packages.json` has a line for them. */
export function recordedScenarios(): readonly string[] {
  return readdirSync(directory).flatMap((name) =>
    readdirSync(join(directory, name)).map((scenario) => `${name}/${scenario}`),
  );
}

/** The sum of the answers that `way` can know, and how many records stand for the others. */
export function rightTotals(each: PackageCase, way: Way): PackageTotals {
  const { unseen, unreported = 0 } = seenBy(each, way);
  const left = new Set([...unseen, ...(each.private ?? [])]);
  const answers = answersOf(each).filter(({ n }) => !left.has(n));
  const sum = (say: (usage: Usage) => number) =>
    answers.reduce((total, { usage }) => total + say(usage), 0);
  return {
    inputTokens: sum(({ input }) => input),
    outputTokens: sum(({ output }) => output),
    cacheReadTokens: sum(({ cacheRead }) => cacheRead),
    cacheWriteTokens: sum(cacheWrite),
    nanoUsd: BigInt(sum(nanoUsd)),
    unreportedRecords: unreported,
  };
}

/** What both know, neither leaves out. */
function seenBy({ live, import: imported, events }: PackageCase, way: Way): Seen {
  const nothing: Seen = { unseen: [] };
  if (way === 'import' || events.length === 0) return imported ?? nothing;
  if (way === 'live') return live ?? nothing;
  const unseen = (live ?? nothing).unseen.filter((n) => imported?.unseen.includes(n));
  const unreported = Math.max(live?.unreported ?? 0, imported?.unreported ?? 0);
  return { unseen, unreported: unseen.length === 0 ? 0 : unreported };
}

interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

interface Answered {
  readonly n: number;
  readonly usage: Usage;
}

export function answersOf({ name }: PackageCase): readonly Answered[] {
  return readFileSync(join(directory, name, 'truth.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answered);
}

function cacheWrite({ cacheWrite5m, cacheWrite1h }: Usage): number {
  return cacheWrite5m + cacheWrite1h;
}

/** All recordings have one price list: 2, 8, 0.5 and 2.5 USD per million tokens. */
function nanoUsd(usage: Usage): number {
  const { input, output, cacheRead } = usage;
  return 2000 * input + 8000 * output + 500 * cacheRead + 2500 * cacheWrite(usage);
}

/** The absolute paths of the files that end so, in their order. */
export function filesBelow(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => join(folder, path));
}
