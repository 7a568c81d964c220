/**
 * What subagents with files recorded themselves, and when: answers, and what their hosts spent
 * beside them. Pure, but for reading files again.
 */
import { type Accounted, nothingAccounted } from '../accounted.ts';
import { type ClaimBook, isResponse, type TimedAccount } from '../claim-book.ts';
import { countNames } from '../claim-order.ts';
import { addFigures, type Figures, noFigures, unitFigures } from '../figures.ts';
import type { Unit } from '../unit.ts';
import type { FileChild } from './file-children.ts';
import type { FileFacts, UnitInFile } from './file-facts.ts';
import type { FileSession } from './file-session.ts';

type Sources = Pick<FileFacts, 'sessions' | 'answererOf' | 'unitsOf'>;

interface ChildSpending {
  /** Answers, without those that the parent claims one by one: these cover no sum. */
  readonly answers: readonly TimedAccount[];
  readonly beside: readonly TimedAccount[];
}

export type SpendingOf = (sessionId: string, parent: ClaimBook) => ChildSpending;

/**
 * When something was claimed after some records of a subagent and before others, its file is read
 * again; else all its records stand at the time of the last one.
 */
export function createChildSpending(
  sources: Sources,
  children: readonly FileChild[],
  bookOf: (sessionId: string) => ClaimBook,
): SpendingOf {
  const late = children.filter(({ parentSessionId, sessionId, claimKey }) => {
    const { firstMs = 0, lastMs = 0 } = sources.sessions.get(sessionId) ?? {};
    const isBetween = ({ timeMs }: Unit) => firstMs <= timeMs && timeMs < lastMs;
    return !claimKey.startsWith('agent:') && bookOf(parentSessionId).claims.some(isBetween);
  });
  const ids = new Set(late.map(({ sessionId }) => sessionId));
  const found = ids.size === 0 ? [] : [...sources.unitsOf(ids)];
  const units = Map.groupBy(
    found.filter(({ unit }) => unit.reported),
    ({ unit }) => unit.sessionId,
  );
  return (sessionId, parent) => {
    const list = units.get(sessionId);
    return list === undefined ? atOnce(sources, sessionId, parent) : oneByOne(list, parent);
  };
}

function oneByOne(list: readonly UnitInFile[], { claims }: ClaimBook): ChildSpending {
  const claimed = new Set(claims.map(({ claimKey }) => claimKey));
  const accounts = (isMeant: (found: UnitInFile) => boolean) =>
    list.filter(isMeant).map(({ unit }) => ({ timeMs: unit.timeMs, accounted: unitFigures(unit) }));
  return {
    answers: accounts(({ unit, responseKey }) => unit.kind === 'turn' && !claimed.has(responseKey)),
    beside: accounts(({ unit }) => isBeside(unit.kind)),
  };
}

function atOnce(
  { sessions, answererOf }: Sources,
  sessionId: string,
  { claims }: ClaimBook,
): ChildSpending {
  const session = sessions.get(sessionId);
  const timeMs = session?.lastMs ?? 0;
  const rest = { ...(session?.sums.byKind.get('turn') ?? nothingAccounted()) };
  for (const { claimKey, ...claim } of claims) {
    if (claimKey === null || !isResponse(claimKey) || answererOf(claimKey) !== sessionId) continue;
    const figures = unitFigures({ claimKey, ...claim });
    for (const name of countNames)
      rest[name] = rest[name] > figures[name] ? rest[name] - figures[name] : 0n;
    rest.nanoUsd = rest.nanoUsd > figures.nanoUsd ? rest.nanoUsd - figures.nanoUsd : 0n;
  }
  return {
    answers: isNothing(rest) ? [] : [{ timeMs, accounted: rest }],
    beside: [{ timeMs, accounted: spentBeside(session) }],
  };
}

function isNothing({ nanoUsd, ...counts }: Accounted): boolean {
  return nanoUsd === 0n && countNames.every((name) => counts[name] === 0n);
}

function spentBeside(session: FileSession | undefined): Figures {
  const sum = noFigures();
  for (const [kind, figures] of session?.sums.byKind ?? [])
    if (isBeside(kind)) addFigures(sum, figures);
  return sum;
}

function isBeside(kind: string): boolean {
  return kind !== 'turn' && kind !== 'tool' && kind !== 'claim';
}
