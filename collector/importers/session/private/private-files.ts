/**
 * The look ahead of an import: which of the files to read are subagents of private stretches. Their
 * files are often read before their parent's, or while that is still being written.
 */

import type { Source } from '../../importer.ts';
import { noIssues } from '../../issues.ts';
import type { Progress } from '../../progress/progress.ts';
import type { ReadFilesOptions } from '../../read-files.ts';
import { sumBytes } from '../../sources.ts';
import type { EventBatch, FileOf } from '../../threads/batches.ts';
import { createFileHeaders } from '../file-header.ts';
import { filesWithMarks } from './mark-scan.ts';
import { findPrivateChildren } from './private-children.ts';
import { createPrivateCopies, type PrivateCopies } from './private-copies.ts';
import type { PrivateParents } from './private-family.ts';
import { privateStretchesIn } from './private-stretches.ts';

interface LookAhead {
  readonly progress: Progress;
  readonly found: readonly Source[];
  /** New or changed, also those that are still being written. */
  readonly changed: readonly Source[];
  readonly due: readonly Source[];
  take(batch: EventBatch, fileOf: FileOf): Promise<void>;
  readonly note: ReadFilesOptions['note'];
  readonly signal: AbortSignal | undefined;
}

export interface OpenFiles {
  /** Without those of which nothing may be recorded. */
  readonly files: readonly Source[];
  readonly copies: PrivateCopies;
}

/** Notes private files as read, and returns the others of those that are due. */
export async function passOverPrivate(ahead: LookAhead): Promise<OpenFiles> {
  const { due, progress, take, note } = ahead;
  if (due.length === 0)
    return { files: due, copies: createPrivateCopies(progress.privateParents()) };
  const { children, copies } = await lookAhead(ahead);
  const hidden = due.filter(({ path }) => children.has(path));
  if (hidden.length === 0) return { files: due, copies };
  const files = hidden.map(({ path, stamp }) => ({ ...nothingRead, path, stamp }));
  for (const file of files) note(file);
  await take({ texts: [], bytes: sumBytes(hidden) }, () => '');
  progress.save(files, []);
  return { files: due.filter(({ path }) => !children.has(path)), copies };
}

const nothingRead = {
  bookmark: null,
  isFailed: false,
  claimedBy: null,
  alsoClaimedBy: [],
  ties: [],
  issues: noIssues,
  againAtMs: null,
};

interface Private {
  /** Paths of files of which nothing may be recorded. */
  readonly children: ReadonlySet<string>;
  readonly copies: PrivateCopies;
}

async function lookAhead({ progress, found, changed, due, signal }: LookAhead): Promise<Private> {
  const before = progress.privateParents();
  const parents: PrivateParents = new Map(before);
  const changedPaths = pathsOf(changed);
  const marked = await filesWithMarks(changedPaths, signal);
  for (const path of changedPaths) if (parents.get(path)?.isWhole === false) parents.delete(path);
  for (const path of marked) {
    const stretches = privateStretchesIn(path, false);
    if (stretches !== null && !parents.has(path)) parents.set(path, stretches);
  }
  const children = findPrivateChildren(parents, pathsOf(due), {
    changed: changedPaths,
    found: new Set(parents.size === 0 ? [] : pathsOf(found)),
    headers: createFileHeaders(),
  });
  progress.savePrivateParents(before, parents);
  return { children, copies: createPrivateCopies(parents) };
}

/** Other agents' sources have no marks. */
function pathsOf(files: readonly Source[]): readonly string[] {
  return files.filter(({ importer }) => importer.marksPrivacy).map(({ path }) => path);
}
