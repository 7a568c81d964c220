/**
 * Tool results that report what subagents spent, and the session files of these subagents. Pure.
 *
 * A tool result is about a session that it names, by its id or by the end of its file's path; or,
 * if it names none, about a session whose header names the parent and some of whose records in a
 * row add up to what the tool result says, to the token.
 */
import { claimKeyOf, type Unit, type UnitTokens } from '../unit.ts';
import type { SessionFile } from './session-files.ts';
import { createSpellings } from './spellings.ts';
import { type Json, jsonObject } from './usage-figures.ts';

/** A tool result with usage of its own, or in its details. */
export interface SpentResult {
  readonly sessionId: string;
  readonly entryId: string;
  readonly timeMs: number;
  /** When the answer was written that called the tool. */
  readonly turnAtMs: number | null;
  readonly tokens: UnitTokens;
  readonly names: readonly string[];
  /** The runs that it tells of (`run:`), or else the subagents (`same:`). */
  readonly runs: readonly string[];
  readonly tool: string;
}

/** What a record spent, in the order of the file. */
interface RecordTokens {
  readonly kind: string;
  readonly timeMs: number;
  readonly tokens: UnitTokens;
}

export interface ResultTie {
  readonly parentSessionId: string;
  readonly entryId: string;
  /** The subagent. */
  readonly sessionId: string;
}

/** Remembers what is needed of the units of all files. */
export function createSpentResults() {
  const results: SpentResult[] = [];
  /** Only sessions whose header names a parent are in it. */
  const records = new Map<string, RecordTokens[]>();
  return {
    open({ header }: SessionFile): void {
      if (header.parentSession !== null && !records.has(header.sessionId))
        records.set(header.sessionId, []);
    },
    take({ unit, turnAtMs, names = [], runs = [], tool = '' }: TakenUnit): void {
      const { sessionId, entryId, timeMs, tokens, kind } = unit;
      if (claimKeyOf(unit)?.startsWith('turn:') === true)
        results.push({ sessionId, entryId, timeMs, turnAtMs, tokens, names, runs, tool });
      if (kind !== 'claim') records.get(sessionId)?.push({ kind, timeMs, tokens });
    },
    results: results as readonly SpentResult[],
    ties: (files: readonly SessionFile[]) =>
      findTies(files, results, (sessionId) => records.get(sessionId) ?? []),
  };
}

interface TakenUnit {
  readonly unit: Unit;
  readonly turnAtMs: number | null;
  readonly names?: readonly string[];
  readonly runs?: readonly string[];
  readonly tool?: string;
}

/** Ids and paths by which a tool result calls its subagents. */
export function namesIn(details: unknown): readonly string[] {
  const said = jsonObject(details);
  if (said === null) return [];
  const list = Array.isArray(said.results) ? said.results : [];
  return [said, ...list.map((each) => jsonObject(each) ?? {})].flatMap((result: Json) =>
    [result.sessionFile, result.sessionId, jsonObject(result.session)?.id].filter(
      (name): name is string => typeof name === 'string' && name !== '',
    ),
  );
}

function findTies(
  files: readonly SessionFile[],
  results: readonly SpentResult[],
  recordsOf: (sessionId: string) => readonly RecordTokens[],
): readonly ResultTie[] {
  const byName = new Map<string, string>();
  for (const { path, header } of files) {
    byName.set(header.sessionId, header.sessionId);
    byName.set(pathEnd(path), header.sessionId);
  }
  // What a result names exactly is not meant by another spelling.
  const said = new Set(results.flatMap(({ names }) => names.map(pathEnd)));
  const spellings = createSpellings([...byName.keys()].filter((name) => !said.has(name)));
  const named = (name: string): string | null => {
    const [end] = byName.has(pathEnd(name)) ? [pathEnd(name)] : spellings.meantBy(pathEnd(name));
    return byName.get(name) ?? byName.get(end ?? '') ?? null;
  };
  const heirs = Map.groupBy(files, ({ header }) => parentIn(header.parentSession));
  const orphans = copiesOfGone(files, byName, recordsOf);
  return results.flatMap((result) => {
    const known = result.names
      .map(named)
      .filter((id): id is string => id !== null && id !== result.sessionId);
    const found =
      result.names.length > 0
        ? known
        : [
            ...(heirs.get(result.sessionId) ?? [])
              .map(({ header }) => header.sessionId)
              .filter((id) => addsUpSomehow(recordsOf(id), result)),
            ...orphans
              .filter((copies) => mayBeOf(copies, result) && addsUpSomehow(copies.records, result))
              .map(({ sessionId }) => sessionId),
          ];
    return [...new Set(found)].map((sessionId) => ({
      parentSessionId: result.sessionId,
      entryId: result.entryId,
      sessionId,
    }));
  });
}

/** What a fork copied of a session that has no file: that one's header named the parent. */
interface Copies {
  /** The fork. */
  readonly sessionId: string;
  readonly records: readonly RecordTokens[];
}

function copiesOfGone(
  files: readonly SessionFile[],
  byName: ReadonlyMap<string, unknown>,
  recordsOf: (sessionId: string) => readonly RecordTokens[],
): readonly Copies[] {
  return files.flatMap(({ header: { sessionId, parentSession, timeMs } }) => {
    const parent = parentIn(parentSession);
    if (parent === null || byName.has(parent)) return [];
    const records = recordsOf(sessionId).filter((record) => record.timeMs < timeMs);
    return records.length === 0 ? [] : [{ sessionId, records }];
  });
}

const dayMs = 24 * 60 * 60 * 1_000;

function mayBeOf({ sessionId, records }: Copies, result: SpentResult): boolean {
  const beganMs = records[0]?.timeMs ?? 0;
  const isWithinDay = beganMs <= result.timeMs && result.timeMs <= beganMs + dayMs;
  return sessionId !== result.sessionId && isWithinDay;
}

/** Enough of a path to tell one run's folder from another's. */
const partsMax = 3;

export function pathEnd(path: string): string {
  return path
    .split(/[\\/]+/)
    .slice(-partsMax)
    .join('/');
}

/** The id that a header gives of its parent: at the end of a path, or alone. */
function parentIn(parentSession: string | null): string | null {
  return /_([^/\\]+)\.jsonl$/i.exec(parentSession ?? '')?.[1] ?? parentSession;
}

/**
 * What packages sum up: answers; with what the host spent beside them; and with what tools spent.
 */
const summedKinds: readonly ((kind: string) => boolean)[] = [
  (kind) => kind === 'turn',
  (kind) => kind !== 'tool',
  () => true,
];

function addsUpSomehow(records: readonly RecordTokens[], result: SpentResult): boolean {
  return summedKinds.some((isSummed) =>
    addsUp(
      records.filter(({ kind }) => isSummed(kind)),
      result,
    ),
  );
}

/**
 * Whether records in a row, made before the result was written and with an answer among them, are
 * what it says.
 */
function addsUp(records: readonly RecordTokens[], { tokens, timeMs }: SpentResult): boolean {
  const told = records.filter((record) => record.timeMs <= timeMs);
  return told.some((_, from) => {
    const left = tokenCounts(tokens);
    let hasAnswer = false;
    for (const record of told.slice(from)) {
      hasAnswer ||= record.kind === 'turn';
      tokenCounts(record.tokens).forEach((count, index) => {
        left[index] = (left[index] ?? 0) - count;
      });
      if (left.every((count) => count === 0)) return hasAnswer;
      if (left.some((count) => count < 0)) return false;
    }
    return false;
  });
}

function tokenCounts({ input, output, cacheRead, cacheWrite }: UnitTokens): number[] {
  return [input, output, cacheRead, cacheWrite];
}
