/**
 * The look ahead of an import: which of the files to read are subagents of private stretches. Their
 * files are often read before their parent's, or while that is still being written.
 */
import { noIssues } from '../issues.ts';
import type { Progress } from '../progress/progress.ts';
import type { ReadFilesOptions } from '../read-files.ts';
import { createFileHeaders } from '../session/file-header.ts';
import type { EventBatch, FileOf } from '../threads/batches.ts';
import { type FoundFile, sumOf } from '../walk.ts';
import { filesWithMarks } from './mark-scan.ts';
import { findPrivateChildren, type PrivateParents } from './private-children.ts';
import { privateStretchesIn } from './private-stretches.ts';

interface LookAhead {
  readonly progress: Progress;
  readonly found: readonly FoundFile[];
  /** New or changed, also those that are still being written. */
  readonly changed: readonly FoundFile[];
  readonly due: readonly FoundFile[];
  take(batch: EventBatch, fileOf: FileOf): Promise<void>;
  readonly note: ReadFilesOptions['note'];
  readonly signal: AbortSignal | undefined;
}

/** Notes private files as read, and returns the others of those that are due. */
export async function passOverPrivate(ahead: LookAhead): Promise<readonly FoundFile[]> {
  const { due, progress, take, note } = ahead;
  if (due.length === 0) return due;
  const paths = await findPrivateFiles(ahead);
  const hidden = due.filter(({ path }) => paths.has(path));
  if (hidden.length === 0) return due;
  const files = hidden.map(({ path, stamp }) => ({ ...nothingRead, path, stamp }));
  for (const file of files) note(file);
  await take({ texts: [], bytes: sumOf(hidden) }, () => '');
  progress.save(files, []);
  return due.filter(({ path }) => !paths.has(path));
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

/** Paths of files of which nothing may be recorded. */
async function findPrivateFiles({
  progress,
  found,
  changed,
  due,
  signal,
}: LookAhead): Promise<ReadonlySet<string>> {
  const before = progress.privateParents();
  const parents: PrivateParents = new Map(before);
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
