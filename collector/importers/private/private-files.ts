/**
 * The look ahead of an import: which of the files to read are subagents of private stretches. Their
 * files are often read before their parent's, or while that is still being written.
 */
import type { Progress } from '../progress/progress.ts';
import { createFileHeaders } from '../session/file-header.ts';
import type { FoundFile } from '../walk.ts';
import { filesWithMarks } from './mark-scan.ts';
import { findPrivateChildren, type PrivateParents } from './private-children.ts';
import { privateStretchesIn } from './private-stretches.ts';

export interface LookAhead {
  readonly progress: Progress;
  readonly found: readonly FoundFile[];
  /** New or changed, also those that are still being written. */
  readonly changed: readonly FoundFile[];
  readonly due: readonly FoundFile[];
  readonly signal?: AbortSignal;
}

/** Paths of files of which nothing may be recorded. */
export async function findPrivateFiles({
  progress,
  found,
  changed,
  due,
  signal,
}: LookAhead): Promise<ReadonlySet<string>> {
  const parents: PrivateParents = new Map(progress.privateParents());
  const before = new Map(parents);
  const marked = await filesWithMarks(
    changed.map(({ path }) => path),
    signal,
  );
  for (const { path } of changed) if (parents.get(path)?.isWhole === false) parents.delete(path);
  for (const path of marked) {
    const stretches = privateStretchesIn(path, false);
    if (stretches !== null && !parents.has(path)) parents.set(path, stretches);
  }
  const children = findPrivateChildren(parents, {
    due: due.map(({ path }) => path),
    found: new Set(parents.size === 0 ? [] : found.map(({ path }) => path)),
    headers: createFileHeaders(),
  });
  progress.savePrivateParents(before, parents);
  return children;
}
