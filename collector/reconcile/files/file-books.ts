/**
 * Claims and accounts from the files alone: which subagents have files, and what their answers add
 * up to. Pure.
 *
 * An omp subagent is recognized by its file's path, a pi subagent by its parent's tool result,
 * which repeats its answers, by its place or by its name (result-ties.ts).
 */
import { nothingAccounted } from '../accounted.ts';
import {
  addAccount,
  type ClaimBook,
  isResponse,
  noClaims,
  type TimedAccount,
} from '../claim-book.ts';
import { unitFigures } from '../figures.ts';
import { addRef } from '../ties.ts';
import type { Unit } from '../unit.ts';
import type { FileChild } from './file-children.ts';
import type { FileFacts } from './file-facts.ts';

export function booksOfFiles(facts: BookSources): ReadonlyMap<string, ClaimBook> {
  const books = new Map<string, ClaimBook>();
  const bookOf = (sessionId: string): ClaimBook => {
    const book = books.get(sessionId) ?? noClaims();
    books.set(sessionId, book);
    return book;
  };
  for (const claim of facts.claims) bookOf(claim.sessionId).claims.push(claim);
  const children = [...facts.children, ...repeatedChildren(facts, bookOf)];
  const answers = lateAnswers(facts, children, bookOf);
  for (const { parentSessionId, sessionId, claimKey } of children) {
    const parent = bookOf(parentSessionId);
    for (const { timeMs, accounted } of answers.get(sessionId)?.accountsFor(parent) ??
      unrepeatedAnswers(facts, sessionId, parent))
      addAccount(parent, sessionId, [claimKey], accounted, timeMs);
    for (const claim of books.get(sessionId)?.claims ?? [])
      forward(parent, sessionId, claimKey, claim);
  }
  for (const { parentSessionId, entryId, sessionId } of facts.ties)
    addRef(bookOf(parentSessionId).ties, entryId, `session:${sessionId}`);
  return books;
}

type BookSources = Pick<
  FileFacts,
  'sessions' | 'children' | 'claims' | 'ties' | 'answererOf' | 'unitsOf'
>;

/**
 * Children whose messages a tool result repeats, once for each such turn. The messages themselves
 * are accounted for here.
 */
function repeatedChildren(
  facts: BookSources,
  bookOf: (sessionId: string) => ClaimBook,
): readonly FileChild[] {
  const children = new Map<string, FileChild>();
  for (const { claimKey, sessionId: parentSessionId, turnEntryId, entryId } of facts.claims) {
    const sessionId = claimKey !== null && isResponse(claimKey) ? facts.answererOf(claimKey) : null;
    if (sessionId === null || claimKey === null || sessionId === parentSessionId) continue;
    addAccount(bookOf(parentSessionId), sessionId, [claimKey], nothingAccounted());
    const child = { sessionId, parentSessionId, claimKey: `turn:${turnEntryId ?? entryId}` };
    children.set(JSON.stringify(child), child);
  }
  return [...children.values()];
}

/** What a subagent claims of its own subagents may be claimed by its parent too. */
function forward(parent: ClaimBook, child: string, parentKey: string, claim: Unit): void {
  if (claim.claimKey === null) return;
  const isSum = claim.claimKey.startsWith('turn:');
  const { timeMs } = claim;
  if (!isSum) addAccount(parent, child, [claim.claimKey], unitFigures(claim), timeMs);
  else if (!parentKey.startsWith('agent:'))
    addAccount(parent, child, [parentKey], unitFigures(claim), timeMs);
}

/** One by one: some come after a claim of the parent, some before. */
interface LateAnswers {
  accountsFor(parent: ClaimBook): readonly TimedAccount[];
}

/** Of subagents that answered on after something was claimed: these files are read again. */
function lateAnswers(
  { sessions, unitsOf }: BookSources,
  children: readonly FileChild[],
  bookOf: (sessionId: string) => ClaimBook,
): ReadonlyMap<string, LateAnswers> {
  const late = children.filter(({ parentSessionId, sessionId, claimKey }) => {
    const { firstAnswerMs = 0, lastAnswerMs = 0 } = sessions.get(sessionId) ?? {};
    const isBetween = ({ timeMs }: Unit) => firstAnswerMs <= timeMs && timeMs < lastAnswerMs;
    return !claimKey.startsWith('agent:') && bookOf(parentSessionId).claims.some(isBetween);
  });
  const ids = new Set(late.map(({ sessionId }) => sessionId));
  if (ids.size === 0) return new Map();
  const answers = [...unitsOf(ids)].filter(({ unit }) => unit.kind === 'turn' && unit.reported);
  const bySession = Map.groupBy(answers, ({ unit }) => unit.sessionId);
  return new Map(
    [...bySession].map(([sessionId, list]) => [
      sessionId,
      {
        accountsFor({ claims }) {
          const claimed = new Set(claims.map(({ claimKey }) => claimKey));
          return list
            .filter(({ responseKey }) => responseKey === null || !claimed.has(responseKey))
            .map(({ unit }) => ({ timeMs: unit.timeMs, accounted: unitFigures(unit) }));
        },
      },
    ]),
  );
}

/**
 * Only a subagent's answers reach its parent (its side calls are in no claim). Answers that the
 * parent claims one by one cover no sum.
 */
function unrepeatedAnswers(
  { sessions, answererOf }: BookSources,
  sessionId: string,
  parent: ClaimBook,
): readonly TimedAccount[] {
  const session = sessions.get(sessionId);
  const rest = { ...(session?.sums.byKind.get('turn') ?? nothingAccounted()) };
  for (const claim of parent.claims) {
    if (
      claim.claimKey === null ||
      !isResponse(claim.claimKey) ||
      answererOf(claim.claimKey) !== sessionId
    )
      continue;
    const figures = unitFigures(claim);
    for (const name of countNames)
      rest[name] = rest[name] > figures[name] ? rest[name] - figures[name] : 0n;
    rest.nanoUsd = rest.nanoUsd > figures.nanoUsd ? rest.nanoUsd - figures.nanoUsd : 0n;
  }
  return [{ timeMs: session?.lastAnswerMs ?? 0, accounted: rest }];
}

const countNames = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const;
