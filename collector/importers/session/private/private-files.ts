/**
 * The look ahead of an import: which of the files to read are subagents of private stretches. Their
 * files are often read before their parent's, or while that is still being written.
 */
import type { ImportSource } from '../../importer.ts';
import { type Issues, noIssues } from '../../issues.ts';
import type { FileProgress } from '../../progress/file-rows.ts';
import type { SavedPrivateParents } from '../../progress/private-parents.ts';
import type { ProgressStore } from '../../progress/progress.ts';
import type { ReadFilesOptions } from '../../read-files.ts';
import { sumBytes } from '../../sources.ts';
import type { EventBatch, FileOf } from '../../threads/batches.ts';
import { filesWithMarks } from './marked-files.ts';
import { findPrivateChildren } from './private-children.ts';
import { createPrivateCopies, type PrivateCopies } from './private-copies.ts';
import { type PrivateParents, privateStretchesIn } from './private-stretches.ts';
import { strictly } from './strictly.ts';
import {
  describeAsked,
  headersAlsoOf,
  type RecordedFiles,
  takeBack,
  tellsMore,
  type WithdrawSession,
} from './taken-back.ts';

interface LookAhead {
  readonly progress: ProgressStore;
  readonly found: readonly ImportSource[];
  /** New or changed, also those that are still being written. */
  readonly changed: readonly ImportSource[];
  readonly due: readonly ImportSource[];
  take(batch: EventBatch, fileOf: FileOf): Promise<void>;
  readonly note: ReadFilesOptions['note'];
  readonly issues: Issues;
  readonly withdrawSession: WithdrawSession;
  /** It comes often: files that were read before are looked at only if parents say more. */
  readonly isBackground: boolean;
  readonly signal: AbortSignal | undefined;
}

interface OpenFiles {
  /** Without those of which nothing may be recorded. */
  readonly files: readonly ImportSource[];
  readonly copies: PrivateCopies;
}

/**
 * Notes private files as read, and returns the others of those that are due. Takes back what was
 * recorded of private files before.
 */
export async function passOverPrivate(ahead: LookAhead): Promise<OpenFiles> {
  const { due, progress, take, note, isBackground } = ahead;
  if (due.length === 0 && isBackground)
    return { files: due, copies: createPrivateCopies(progress.privateParents()) };
  const { before, parents, children, proven, released, recorded } = await lookAhead(ahead);
  const told = new Set([...before].flatMap(([path, { isUnsure }]) => (isUnsure ? [path] : [])));
  const { gone, doubtful } = await takeBack(
    [...children].filter((path) => recorded.has(path)),
    { proven, recorded, told },
    ahead.withdrawSession,
    ahead.issues,
  );
  for (const path of children) noteUnsure(parents, path, doubtful.has(path) || !proven.has(path));
  progress.savePrivateParents(before, parents);
  const hidden = due.filter(({ path }) => children.has(path));
  const passed = hidden.map(({ path, stamp }) => ({ ...nothingRead, path, stamp }));
  for (const file of passed) note(file);
  if (hidden.length > 0) await take({ texts: [], bytes: sumBytes(hidden) }, () => '');
  progress.save([...forgotten(gone, progress), ...passed].map(unlessLeft), []);
  const isDue = new Set(due.map(({ path }) => path));
  const more = ahead.found.filter(({ path }) => released.has(path) && !isDue.has(path));
  for (const [path, { isAsked }] of parents)
    if (isAsked && !before.get(path)?.isAsked && recorded.has(path) && !isDue.has(path))
      ahead.issues.add(describeAsked(path));
  const files = [...due, ...more].filter(({ path }) => !children.has(path));
  return { files, copies: createPrivateCopies(parents) };

  /** A file whose session could not be taken back is tried again. */
  function unlessLeft(file: FileProgress): FileProgress {
    const isLeft = recorded.has(file.path) && !gone.has(file.path);
    const before = isLeft ? progress.of(file.path) : null;
    return before === null ? file : { ...before, stamp: file.stamp };
  }
}

function forgotten(paths: ReadonlySet<string>, progress: ProgressStore): readonly FileProgress[] {
  return [...paths].flatMap((path) => {
    const file = progress.of(path);
    return file === null ? [] : [{ ...nothingRead, path, stamp: file.stamp }];
  });
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
  /** What earlier imports knew of private stretches, and what is known now. */
  readonly before: SavedPrivateParents;
  readonly parents: PrivateParents;
  /** Paths of files of which nothing may be recorded. */
  readonly children: ReadonlySet<string>;
  /** Those of them that are private for certain. */
  readonly proven: ReadonlySet<string>;
  /** Those that an earlier import passed over, and that turn out not to be private. */
  readonly released: ReadonlySet<string>;
  /** Those of all files that may be private after all. */
  readonly recorded: RecordedFiles;
}

async function lookAhead(ahead: LookAhead): Promise<Private> {
  const { progress, found, changed, due, signal, isBackground } = ahead;
  const before = progress.privateParents();
  const parents: PrivateParents = new Map(before);
  const changedPaths = listPaths(changed);
  const marked = await filesWithMarks(changedPaths, signal);
  const unsure = [...before].flatMap(([path, { isUnsure }]) => (isUnsure === true ? [path] : []));
  for (const path of unsure) parents.delete(path);
  for (const path of changedPaths) if (parents.get(path)?.isWhole === false) parents.delete(path);
  for (const path of marked) {
    const stretches = privateStretchesIn(path, false);
    if (stretches !== null && !parents.has(path)) parents.set(path, stretches);
  }
  const isTold = parents.size > 0 && (!isBackground || tellsMore(before, parents));
  const recorded: RecordedFiles = isTold ? progress.recorded() : new Map();
  const others = found.filter(({ importer }) => !importer.marksPrivacy);
  const paths = new Set([...listPaths(due), ...unsure, ...recorded.keys()]);
  for (const { path } of others) paths.delete(path);
  const files = {
    changed: changedPaths,
    found: new Set(parents.size === 0 ? [] : listPaths(found)),
    headers: headersAlsoOf(recorded),
  };
  const certain = strictly(parents);
  const children = findPrivateChildren(parents, [...paths], files);
  const proven =
    children.size === 0 ? children : findPrivateChildren(certain, [...children], files);
  const released = new Set(unsure.filter((path) => !children.has(path)));
  return { before, parents, children, proven, released, recorded };
}

function noteUnsure(parents: PrivateParents, path: string, isUnsure: boolean): void {
  const whole = parents.get(path);
  if (whole !== undefined && isUnsure) parents.set(path, { ...whole, isUnsure });
}

/** Other agents' sources have no marks. */
function listPaths(files: readonly ImportSource[]): readonly string[] {
  return files.filter(({ importer }) => importer.marksPrivacy).map(({ path }) => path);
}
