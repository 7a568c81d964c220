/**
 * Reads Stryker's result files: how many mutants of a file the tests noticed, and which ones not.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FileResult {
  readonly file: string;
  /** A test failed, or did not end. */
  readonly noticed: number;
  readonly survivors: readonly Survivor[];
  /** Not tried, because their code runs while the file is loaded. */
  readonly leftOut: number;
  /** The hash of the file as it is now. */
  readonly isCurrent: boolean;
}

export interface Survivor {
  readonly line: number;
  readonly column: number;
  readonly end: Position;
  readonly was: string;
  readonly became: string;
  /** No test ran it. */
  readonly isUncovered: boolean;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Mutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

export function resultFileOf(root: string, file: string): string {
  return join(root, '.mutation', 'results', file.replace(/\.ts$/, '.json'));
}

/** Null if the file is not measured yet. */
export function readResult(root: string, file: string): FileResult | null {
  const path = resultFileOf(root, file);
  if (!existsSync(path)) return null;
  const { files } = JSON.parse(readFileSync(path, 'utf8')) as {
    files: Record<string, { source: string; mutants: Mutant[] }>;
  };
  const said = files[file];
  const isCurrent = said === undefined || said.source === readFileSync(join(root, file), 'utf8');
  const mutants = said?.mutants ?? [];
  const having = (...statuses: string[]) =>
    mutants.filter(({ status }) => statuses.includes(status));
  return {
    file,
    noticed: having('Killed', 'Timeout').length,
    survivors: having('Survived', 'NoCoverage').map((mutant) =>
      survivorOf(mutant, said?.source ?? ''),
    ),
    leftOut: having('Ignored').length,
    isCurrent,
  };
}

/** In percent; a file of types alone has no mutants, and misses none. */
export function scoreOf(results: readonly Pick<FileResult, 'noticed' | 'survivors'>[]): number {
  const noticed = results.reduce((sum, result) => sum + result.noticed, 0);
  const all = results.reduce((sum, result) => sum + result.survivors.length, noticed);
  return all === 0 ? 100 : (100 * noticed) / all;
}

function survivorOf({ status, replacement, location }: Mutant, source: string): Survivor {
  const { start, end } = location;
  return {
    ...start,
    end,
    was: textAt(source, start, end),
    became: replacement ?? '',
    isUncovered: status === 'NoCoverage',
  };
}

/** Stryker counts lines and columns from 1. */
function textAt(source: string, start: Position, end: Position): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n');
}
