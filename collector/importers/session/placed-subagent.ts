/** Finds a subagent's parent by where its file is. */
import { normalize } from 'node:path';
import type { Header } from '@pi-ledger/core/record/entry';
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import { parentAbove } from '@pi-ledger/core/record/placed-below';
import { sessionIdOfFile, sessionIdOfParent } from '@pi-ledger/core/record/session';
import { parentOfFile } from '@pi-ledger/core/record/subagent';
import type { AwaitedParent } from '../proofs.ts';
import type { FileLineage } from './lineage.ts';

export interface PlacedSubagent {
  /** omp names the file after the agent; null for other packages' files. */
  readonly name: string | null;
  /** It is null when neither the path nor an existing file reveals it. */
  readonly parent: SubagentParent | null;
  /**
   * Whether the directory's name contains the parent's id; otherwise it is read from the parent's
   * file.
   */
  readonly isParentInPath: boolean;
  readonly awaitedParent: AwaitedParent | null;
}

/** Returns null for a session whose path is not a subagent's. */
export function placedSubagent(
  path: string,
  header: Header,
  lineage: FileLineage,
): PlacedSubagent | null {
  const found = parentOfFile(path, header);
  if (found === null) return placedBelow(path, header, lineage);
  const { parentSessionId, parentFile, key } = found;
  const readFrom = (file: string | null) =>
    file === null ? null : (lineage.headerOf(file)?.id ?? null);
  const sessionId =
    parentSessionId ?? readFrom(parentFile) ?? sessionIdOfParent(header.parentSession);
  return {
    name: key.replace(/^agent:/, ''),
    parent: sessionId === null ? null : { sessionId, key },
    isParentInPath: parentSessionId !== null,
    awaitedParent:
      sessionId === null && parentFile !== null ? { file: normalize(parentFile), key } : null,
  };
}

function placedBelow(path: string, header: Header, lineage: FileLineage): PlacedSubagent | null {
  const found = parentAbove(path, header, (file) => lineage.headerOf(normalize(file)));
  if (found === null) return null;
  const { parentSessionId, parentFile, key } = found;
  return {
    name: null,
    parent: parentSessionId === null ? null : { sessionId: parentSessionId, key },
    isParentInPath: parentFile !== null && sessionIdOfFile(parentFile) !== null,
    awaitedParent: null,
  };
}
