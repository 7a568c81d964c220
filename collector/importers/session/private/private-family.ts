/**
 * Ways to recognize a subagent of a private stretch: it lies below its parent's file, a result of
 * the parent's tools names it or repeats its answers, or it is a private session itself.
 */
import { basename } from 'node:path';
import type { Header } from '@pi-ledger/core/record/entry';
import { fileRef, normalizeName } from '@pi-ledger/core/record/link';
import { sessionIdOfFile, sessionIdOfParent } from '@pi-ledger/core/record/session';
import { addUpToOne, type ChildSpent } from './child-file.ts';
import {
  holds,
  type PrivateParents,
  type PrivateStretches,
  type Stretch,
} from './private-stretches.ts';
import type { NamedIn } from './stretch-notes.ts';
import { withKnownEnds } from './strictly.ts';

/** A session, as far as anything is known of it. */
type Begun = Pick<Header, 'id' | 'timeMs'>;

export interface PrivateFamily {
  /** Whether a header may matter. */
  readonly asksHeaders: boolean;
  /** Whether any session was asked in a stretch. */
  readonly namesSpenders: boolean;
  /**
   * A private subagent's session, whatever its file is called. Users and packages may choose one id
   * for several sessions, which begin at different times; null: nobody knows when.
   */
  isSame(sessionId: string | null, beganAtMs: number | null): boolean;
  /** `beganAtMs` is asked only if it matters; null: nobody knows. */
  isPlaced(path: string, beganAtMs: () => number | null): boolean;
  /** In a stretch, if it is not older; or later, if it began in one. */
  isCalled(ref: string | null, beganAtMs: () => number | null): boolean;
  /** Stretches in which it was asked although it is older. */
  stretchesAsking(begun: Begun, ref: string | null): readonly Stretch[];
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
  given: PrivateParents,
  found: ReadonlySet<string>,
): PrivateFamily {
  const parents = withKnownEnds(given);
  const all = [...parents.values()];
  const bySession = new Map(all.map((parent) => [parent.sessionId, parent]));
  const whole = Map.groupBy(
    all.filter(({ isWhole }) => isWhole),
    ({ sessionId }) => sessionId,
  );
  const naming = all
    .filter(({ refs }) => refs.length > 0)
    .map((parent) => ({
      parent,
      refs: createRefs(
        parent.refs.map(({ ref }) => ref),
        found,
      ),
    }));
  const later = all
    .filter(({ laterRefs }) => laterRefs.length > 0)
    .map((parent) => ({ parent, told: createRefs(parent.laterRefs, found) }));
  const running = [...parents].filter(([, { namedRuns }]) => namedRuns.length > 0);
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
    asksHeaders: whole.size + counting.length + running.length > 0,
    namesSpenders: naming.some(({ parent }) => parent.refs.some(({ saysSpend }) => saysSpend)),
    isSame(sessionId, timeMs) {
      const same = sessionId === null ? [] : (whole.get(sessionId) ?? []);
      return same.some(({ stretches }) => timeMs === null || stretches[0]?.fromMs === timeMs);
    },
    isPlaced(path, beganAtMs) {
      const above = nearestAbove(path);
      const timeMs = above.length > 0 ? beganAtMs() : null;
      if (timeMs === null) return above.some(({ parent }) => parent.isWhole);
      return above.some(
        ({ parent, isFork }) => holds(parent, timeMs) && !(isFork && timeMs >= parent.beganAtMs),
      );
    },
    isCalled(ref, beganAtMs) {
      if (ref === null) return false;
      const named = naming.filter(({ refs }) => refs.have(ref));
      const namedLater = later.filter(({ told }) => told.have(ref));
      const timeMs = named.length + namedLater.length > 0 ? beganAtMs() : null;
      if (timeMs === null) return named.length > 0;
      return (
        named.some(({ parent, refs }) => timeMs >= (refs.first(ref, parent.refs)?.fromMs ?? 0)) ||
        namedLater.some(({ parent }) => holds(parent, timeMs))
      );
    },
    stretchesAsking({ id, timeMs }, ref) {
      if (ref === null) return [];
      return naming.flatMap(({ parent, refs }) => {
        const named = refs.have(ref) ? refs.first(ref, parent.refs) : undefined;
        if (named === undefined || !named.saysSpend || timeMs >= named.fromMs) return [];
        if (parent.sessionId === id) return [];
        const end = parent.isWhole ? parent.lastAtMs : null;
        return parent.stretches
          .filter(({ fromMs }) => fromMs >= named.fromMs)
          .map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? end }));
      });
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
      const said = running
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
    first: (ref: string, named: readonly NamedIn[]) =>
      named.find((each) => each.ref === ref) ??
      named.find((each) => normalizeName(each.ref) === normalizeName(ref)),
  };
}

const levelsMax = 16;

function childFolder(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0));
}
