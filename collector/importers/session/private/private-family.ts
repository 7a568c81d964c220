/**
 * Ways to recognize a subagent of a private stretch: it lies below its parent's file, a result of
 * the parent's tools names it or repeats its answers, or it is a private session itself.
 */
import { basename } from 'node:path';
import type { Header } from '@pi-ledger/core/record/entry';
import { fileRef, normalizeName } from '@pi-ledger/core/record/link';
import { sessionIdOfFile, sessionIdOfParent } from '@pi-ledger/core/record/session';
import { addUpToOne, type ChildSpent } from './child-file.ts';
import { holds, type PrivateStretches } from './private-stretches.ts';

/** By the file's path. */
export type PrivateParents = Map<string, PrivateStretches>;

/** A session, as far as anything is known of it. */
type Begun = Pick<Header, 'id' | 'timeMs'>;

export interface PrivateFamily {
  /** Whether a header may matter. */
  readonly asksHeaders: boolean;
  /** A private subagent's session, whatever its file is called. */
  isSame(sessionId: string | null): boolean;
  /** `beganAtMs` is asked only if it matters; null: nobody knows. */
  isPlaced(path: string, beganAtMs: () => number | null): boolean;
  /** In a stretch; or later, if it began in one. */
  isCalled(ref: string | null, beganAtMs: () => number | null): boolean;
  /** `isNamed`: a sum alone ties the session only to such a parent, whose file is at this path. */
  isCounted(
    begun: Begun,
    isNamed: (parent: PrivateStretches, path: string) => boolean,
    spent: () => ChildSpent,
  ): boolean;
  /**
   * A result names a file of its name and says what it used: it was moved from there. `isOf`:
   * whether its header allows for such a parent, whose file is at this path.
   */
  isMoved(
    path: string,
    begun: Begun,
    isOf: (parent: PrivateStretches, path: string) => boolean,
    spent: () => ChildSpent,
  ): boolean;
}

export function createPrivateFamily(
  parents: PrivateParents,
  found: ReadonlySet<string>,
): PrivateFamily {
  const all = [...parents.values()];
  const bySession = new Map(all.map((parent) => [parent.sessionId, parent]));
  const whole = new Set(all.filter(({ isWhole }) => isWhole).map(({ sessionId }) => sessionId));
  const refs = createRefs(
    all.flatMap((parent) => parent.refs),
    found,
  );
  const later = all
    .filter(({ laterRefs }) => laterRefs.length > 0)
    .map((parent) => ({ parent, told: createRefs(parent.laterRefs, found) }));
  const naming = [...parents].filter(([, { namedRuns }]) => namedRuns.length > 0);
  const counting = [...parents].filter(
    ([, { answers, usages }]) => answers.length + usages.length > 0,
  );

  /** Empty if the nearest session above has nothing private. */
  function nearestAbove(path: string): readonly Above[] {
    let folder = childFolder(path);
    for (let level = 0; folder !== '' && level < levelsMax; level += 1) {
      const file = `${folder}.jsonl`;
      const parent = parents.get(file);
      if (parent !== undefined) return [{ parent, isFork: false }];
      if (found.has(file)) return [];
      const sessionId = sessionIdOfFile(file);
      if (sessionId !== null) return ofSession(sessionId);
      folder = childFolder(folder);
    }
    return [];
  }

  /** If its own file is gone, forks of it tell of what they copied. */
  function ofSession(sessionId: string): readonly Above[] {
    const parent = bySession.get(sessionId);
    if (parent !== undefined) return [{ parent, isFork: false }];
    return all
      .filter(
        ({ parentSession, isWhole }) => !isWhole && sessionIdOfParent(parentSession) === sessionId,
      )
      .map((fork) => ({ parent: fork, isFork: true }));
  }

  return {
    asksHeaders: whole.size + counting.length + naming.length > 0,
    isSame: (sessionId) => sessionId !== null && whole.has(sessionId),
    isPlaced(path, beganAtMs) {
      const above = nearestAbove(path);
      if (above.some(({ parent }) => parent.isWhole)) return true;
      const timeMs = above.length > 0 ? beganAtMs() : null;
      if (timeMs === null) return false;
      return above.some(
        ({ parent, isFork }) => holds(parent, timeMs) && !(isFork && timeMs >= parent.beganAtMs),
      );
    },
    isCalled(ref, beganAtMs) {
      if (ref === null) return false;
      if (refs.have(ref)) return true;
      const timeMs = later.some(({ told }) => told.have(ref)) ? beganAtMs() : null;
      if (timeMs === null) return false;
      return later.some(({ parent, told }) => told.have(ref) && holds(parent, timeMs));
    },
    isCounted({ id, timeMs }, isNamed, spentOf) {
      const likely = counting.filter(
        ([, parent]) => parent.sessionId !== id && holds(parent, timeMs),
      );
      if (likely.length === 0) return false;
      const { firstKey, tokens } = spentOf();
      return likely.some(
        ([path, parent]) =>
          parent.answers.includes(firstKey ?? '') ||
          (isNamed(parent, path) && tokens.some((each) => addUpToOne(each, parent.usages))),
      );
    },
    isMoved(path, { id, timeMs }, isOf, spentOf) {
      const name = normalizeName(basename(path));
      const said = naming
        .filter(([, parent]) => parent.sessionId !== id && holds(parent, timeMs))
        .filter(([file, parent]) => isOf(parent, file))
        .flatMap(([, { namedRuns }]) => namedRuns)
        .filter(({ ref }) => normalizeName(nameIn(ref)) === name)
        .map(({ tokens }) => tokens);
      if (said.length === 0 || isBelowSession(path)) return false;
      return spentOf().tokens.some((each) => addUpToOne(each, said));
    },
  };
}

interface Above {
  readonly parent: PrivateStretches;
  /** A fork of the session, whose own file is gone. */
  readonly isFork: boolean;
}

/** Whoever moved it moved that session's folder, too, or it has never been elsewhere. */
function isBelowSession(path: string): boolean {
  return path.split(/[\\/]/).some((part) => sessionIdOfFile(`${part}.jsonl`) !== null);
}

function nameIn(ref: string): string {
  return basename(ref.slice('file:'.length));
}

/** A name in another Unicode form or case is the same, unless another file has it exactly. */
function createRefs(said: readonly string[], found: ReadonlySet<string>) {
  const exact = new Set(said);
  const byForm = Map.groupBy(
    said.filter((ref) => ref.startsWith('file:')),
    normalizeName,
  );
  let ofFiles: ReadonlySet<string> | null = null;
  return {
    have(ref: string): boolean {
      if (exact.has(ref)) return true;
      const alike = byForm.get(normalizeName(ref));
      if (alike === undefined) return false;
      ofFiles ??= new Set([...found].map((path) => fileRef(path) ?? ''));
      const files = ofFiles;
      return alike.some((each) => !files.has(each));
    },
  };
}

const levelsMax = 16;

function childFolder(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0));
}
