/**
 * What one side counts for a session: direct spend, and the rest of claims as spend of tools. Pure.
 */
import type { ClaimBook } from './claim-book.ts';
import { computeRests } from './claims.ts';
import { addFigures, type Figures, figuresOfKind, noFigures, type SessionSums } from './figures.ts';

/** Sums by kind, as a copy. */
export function countedByKind(sums: SessionSums, book: ClaimBook): ReadonlyMap<string, Figures> {
  const counted = new Map<string, Figures>();
  for (const [kind, figures] of sums.byKind) addFigures(figuresOfKind(counted, kind), figures);
  for (const rest of computeRests(book).values()) addFigures(figuresOfKind(counted, 'tool'), rest);
  return counted;
}

export function totalIn(byKind: ReadonlyMap<string, Figures>): Figures {
  const total = noFigures();
  for (const figures of byKind.values()) addFigures(total, figures);
  return total;
}
