/**
 * Takes back what earlier imports recorded of sessions that turn out to be private: a subagent's
 * file was imported before the file that says that its parent was paused.
 */
import type { Header } from '@pi-ledger/core/record/entry';
import type { Issue, Issues } from '../../issues.ts';
import type { SavedPrivateParents } from '../../progress/private-parents.ts';
import { createFileHeaders } from '../file-header.ts';
import type { PrivateStretches } from './private-stretches.ts';

export type KnownHeader = Pick<Header, 'id' | 'timeMs' | 'parentSession'>;

export interface KnownHeaders {
  of(path: string): KnownHeader | null;
}

/** Headers of the files that an import recorded something of, by path. */
export type RecordedFiles = ReadonlyMap<string, KnownHeader>;

/** Headers of files that are gone are those that were read. */
export function headersAlsoOf(recorded: RecordedFiles): KnownHeaders {
  const headers = createFileHeaders();
  return { of: (path) => headers.of(path) ?? recorded.get(path) ?? null };
}

/** Whether parents tell more of subagents than before. */
export function tellsMore(before: SavedPrivateParents, after: SavedPrivateParents): boolean {
  const told = (parent: PrivateStretches) => JSON.stringify({ ...parent, entries: [] });
  return [...after].some(([path, parent]) => {
    const known = before.get(path);
    return known === undefined || told(known) !== told(parent);
  });
}

/**
 * Takes back all that the log has of a session. Resolves to null when nothing of it is left, or
 * else to why it was not possible.
 */
export type WithdrawSession = (sessionId: string, reason: string) => Promise<string | null>;

const reason = 'private: a subagent of a paused session, imported before that session’s file';
const whatHappened =
  'private, as a subagent of a paused session, but imported before that session’s file was known';

/** Resolves to the paths whose sessions are in the log no more. */
export async function takeBack(
  paths: readonly string[],
  recorded: RecordedFiles,
  withdraw: WithdrawSession,
  issues: Issues,
): Promise<ReadonlySet<string>> {
  const bySession = Map.groupBy(paths, (path) => recorded.get(path)?.id ?? '');
  const gone = new Set<string>();
  for (const [sessionId, files] of bySession) {
    const refusal = await withdraw(sessionId, reason);
    issues.add(describe(files[0] ?? '', sessionId, refusal));
    if (refusal === null) for (const path of files) gone.add(path);
  }
  return gone;
}

/** Whatever is left is in the totals, so no spend is missing. */
function describe(file: string, sessionId: string, refusal: string | null): Issue {
  const message =
    refusal === null
      ? `${whatHappened}: session ${sessionId} is taken back, and in no total any more`
      : `${whatHappened}, and still in the totals: ${refusal}`;
  return { code: 'private_before', file, line: null, message, mayHoldSpend: false };
}
