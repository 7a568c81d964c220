/**
 * Claims and accounts from the files alone: which subagents have files, and what their answers add
 * up to. Pure.
 *
 * An omp subagent is recognized by its file's path, a pi subagent by its parent's tool result,
 * which repeats its answers, by its place or by its name (result-ties.ts).
 */
import {
  type Accounted,
  addAccount,
  type ClaimBook,
  isResponse,
  noClaims,
  nothingAccounted,
} from '../claims.ts';
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
  for (const { parentSessionId, sessionId, claimKey } of [
    ...facts.children,
    ...repeatedChildren(facts, bookOf),
  ]) {
    const parent = bookOf(parentSessionId);
    addAccount(parent, sessionId, [claimKey], unrepeatedAnswers(facts, sessionId, parent));
    for (const claim of books.get(sessionId)?.claims ?? [])
      forward(parent, sessionId, claimKey, claim);
  }
  for (const { parentSessionId, entryId, sessionId } of facts.ties)
    addRef(bookOf(parentSessionId).ties, entryId, `session:${sessionId}`);
  return books;
}

type BookSources = Pick<FileFacts, 'sessions' | 'children' | 'claims' | 'ties' | 'answererOf'>;

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
  if (!isSum) addAccount(parent, child, [claim.claimKey], unitFigures(claim));
  else if (!parentKey.startsWith('agent:'))
    addAccount(parent, child, [parentKey], unitFigures(claim));
}

/**
 * Only a subagent's answers reach its parent (its side calls are in no claim). Answers that the
 * parent claims one by one cover no sum.
 */
function unrepeatedAnswers(
  { sessions, answererOf }: BookSources,
  sessionId: string,
  parent: ClaimBook,
): Accounted {
  const rest = { ...(sessions.get(sessionId)?.sums.byKind.get('turn') ?? nothingAccounted()) };
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
  return rest;
}

const countNames = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const;
