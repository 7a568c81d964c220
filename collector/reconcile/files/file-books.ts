/**
 * Claims and accounts from the files alone: which subagents have files, and what their answers add
 * up to. Pure.
 *
 * An omp subagent is recognized by its file's path, a pi subagent by its parent's tool result,
 * which repeats its answers, by its place or by its name (result-ties.ts).
 */
import { nothingAccounted } from '../accounted.ts';
import { addAccount, type ClaimBook, isResponse, noClaims, toolsKey } from '../claim-book.ts';
import { unitFigures } from '../figures.ts';
import { addRef } from '../ties.ts';
import type { Unit } from '../unit.ts';
import { createChildSpending } from './child-spending.ts';
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
  const spendingOf = createChildSpending(facts, children, bookOf);
  for (const { parentSessionId, sessionId, claimKey } of children) {
    const parent = bookOf(parentSessionId);
    const { answers, beside } = spendingOf(sessionId, parent);
    for (const { timeMs, accounted } of answers)
      addAccount(parent, sessionId, [claimKey], accounted, timeMs);
    const key = `beside:${sessionId}`;
    const isTold = parent.sums.get(sessionId)?.has(key) === true;
    if (!isTold && !claimKey.startsWith('agent:'))
      for (const { timeMs, accounted } of beside)
        addAccount(parent, sessionId, [key], accounted, timeMs);
    for (const claim of books.get(sessionId)?.claims ?? [])
      forward(parent, sessionId, claimKey, claim);
  }
  tieResults(facts, bookOf);
  return books;
}

function tieResults({ ties, results }: BookSources, bookOf: (sessionId: string) => ClaimBook) {
  for (const { parentSessionId, entryId, sessionId } of ties)
    addRef(bookOf(parentSessionId).ties, entryId, `session:${sessionId}`);
  for (const { sessionId, entryId, runs } of results)
    for (const run of runs) addRef(bookOf(sessionId).ties, entryId, run);
}

type BookSources = Pick<
  FileFacts,
  'sessions' | 'children' | 'claims' | 'ties' | 'results' | 'answererOf' | 'unitsOf'
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
  const { timeMs, claimKey } = claim;
  const isNamed = parentKey.startsWith('agent:');
  if (claimKey !== null && !claimKey.startsWith('turn:'))
    addAccount(parent, child, [claimKey], unitFigures(claim), timeMs);
  else if (!isNamed)
    addAccount(
      parent,
      child,
      [claimKey === null ? toolsKey : parentKey],
      unitFigures(claim),
      timeMs,
    );
}
