/** The accounting corpus: its cases and their true figures. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CorpusTotals {
  readonly records: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly unpricedRecords: number;
  readonly unreportedRecords: number;
  /** Without subscriptions. */
  readonly costUsd: string;
  readonly subscriptionUsd: string;
}

export interface CorpusCase {
  readonly name: string;
  readonly hosts: readonly ('pi' | 'omp')[];
  readonly about: string;
  readonly config?: object;
  readonly sameDirectoryTwice?: true;
  readonly totals: CorpusTotals;
  readonly recordsByKind: Readonly<Record<string, number>>;
  readonly recordsBySession: Readonly<Record<string, number>>;
  /** Commands of pi-ledger after the import. */
  readonly afterwards?: readonly (readonly string[])[];
  /** By grouping and name, in dollars, of all kinds of billing; `(none)` has no name. */
  readonly costBy?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By column of FOCUS and kind of billing, in dollars. */
  readonly focus?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** A home with the session files where the hosts keep them. */
  readonly home: string;
}

export const corpusDirectory = fileURLToPath(
  new URL('../../../accounting-corpus', import.meta.url),
);

export function corpusCases(): readonly CorpusCase[] {
  const truth = JSON.parse(readFileSync(join(corpusDirectory, 'truth.json'), 'utf8')) as Record<
    string,
    Omit<CorpusCase, 'name' | 'home'>
  >;
  return Object.entries(truth).map(([name, told]) => ({
    name,
    ...told,
    home: join(corpusDirectory, 'cases', name, 'home'),
  }));
}

/** A case's session directories. */
export function sessionDirectories({
  home,
}: CorpusCase): readonly { readonly host: 'pi' | 'omp'; readonly directory: string }[] {
  return (['pi', 'omp'] as const)
    .map((host) => ({ host, directory: join(home, `.${host}`, 'agent', 'sessions') }))
    .filter(({ directory }) => existsSync(directory));
}

/** Converts `0.0129` to 12,900,000. */
export function nanoUsdOf(usd: string): string {
  const [whole = '0', fraction = ''] = usd.split('.');
  return BigInt(whole + fraction.padEnd(9, '0')).toString();
}
