/** Stored form of what subagents accounted for, by key and time (claims-text.ts). */
import type { Amount } from '../amount.ts';
import { readAmounts, writeAmounts } from '../spend-amounts.ts';
import { type AccountPlace, addToAccount } from './children.ts';
import { timeless } from './claim.ts';
import type { Amounts, BodyAccount, ClaimsBody } from './claims-body.ts';
import type { Claims } from './claims-state.ts';
import { compareText } from './compare-text.ts';
import type { Response } from './response-claims.ts';

const responseChars = 16;

export type Sorted = readonly (readonly [string, Response])[];

/** Answers that are part of no sum. */
export function encodeUnplaced(sorted: Sorted): ClaimsBody['accounted'] {
  const responses = sorted.flatMap(([response, each]) =>
    each.is === 'accounted' && each.place === null ? [response] : [],
  );
  return responses.length === 0 ? [] : [[null, responses.join('')]];
}

export function encodeAccounts(
  { children }: Claims,
  sorted: Sorted,
): NonNullable<ClaimsBody['accounts']> {
  const responses = new Map<string, string>();
  for (const [response, each] of sorted) {
    if (each.is !== 'accounted' || each.place === null) continue;
    const name = placeName(each.place);
    responses.set(name, (responses.get(name) ?? '') + response);
  }
  return sortedEntries(children.accounts).map(([child, byKey]) => [
    child,
    ...sortedEntries(byKey).map(([key, byTime]) => {
      let beforeMs = timeless;
      const accounts = [...byTime].sort(([left], [right]) => left - right);
      const encoded = accounts.map(([atMs, amounts]): BodyAccount => {
        const sinceMs = atMs - beforeMs;
        beforeMs = atMs;
        return [sinceMs, responses.get(placeName({ child, key, atMs })) ?? '', ...trimmed(amounts)];
      });
      return [key, ...encoded] as const;
    }),
  ]);
}

function placeName({ child, key, atMs }: AccountPlace): string {
  return JSON.stringify([child, key, atMs]);
}

export function decodeAccounts(
  { children, responses }: Claims,
  { accounts = [] }: ClaimsBody,
): void {
  for (const [child, ...keys] of accounts)
    for (const [key, ...byTime] of keys) {
      let atMs = timeless;
      for (const [sinceMs, text, ...amounts] of byTime) {
        atMs += sinceMs;
        const place = { child, key, atMs };
        addToAccount(children, place, readAmounts(amounts));
        for (const response of parseResponses(text))
          responses.set(response, { is: 'accounted', place });
      }
    }
}

export function sortedEntries<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([left], [right]) => compareText(left, right));
}

export function parseResponses(text: string): string[] {
  return Array.from({ length: text.length / responseChars }, (_, index) =>
    text.slice(index * responseChars, (index + 1) * responseChars),
  );
}

export function trimmed(amounts: readonly Amount[]): Amounts {
  const written: (number | string)[] = [];
  writeAmounts(written, amounts);
  return written;
}
