/**
 * Dead letters in chunks of bounded size, for a retry; what cannot be read of them is passed over.
 * Rejects when the store fails otherwise.
 */
import type { RejectionCode } from '@pi-ledger/contract';
import type { DeadLetter, Log } from '../log/log.ts';
import { readLetters, type UnreadLetters } from './readable-letters.ts';

export interface DeadLetterChunk {
  readonly letters: readonly DeadLetter[];
  /** Ids without a dead letter. */
  readonly unknown: number;
  /** Between which ids nothing can be read. */
  readonly unread: readonly UnreadLetters[];
}

export const futureCode: RejectionCode = 'time_in_future';

const lettersMax = 1_000;
const lettersCharsMax = 8 * 1024 * 1024;

/** The first `countMax`: more may arrive meanwhile. */
export async function* chunksOfAll(
  log: Log,
  which: 'all' | 'future',
  countMax: number,
): AsyncGenerator<DeadLetterChunk> {
  let after = 0;
  for (let seen = 0; seen <= countMax; ) {
    const { letters, unread } = await readLetters(log, after, lettersMax, lettersCharsMax);
    yield {
      letters: which === 'all' ? letters : letters.filter(({ code }) => code === futureCode),
      unknown: 0,
      unread: unread === null ? [] : [unread],
    };
    const last = letters.at(-1);
    if (last === undefined) return;
    after = last.id;
    seen += letters.length;
  }
}

export async function* chunksOfIds(
  log: Log,
  ids: readonly number[],
): AsyncGenerator<DeadLetterChunk> {
  const wanted = [...new Set(ids)];
  for (let from = 0; from < wanted.length; from += lettersMax) {
    const letters: DeadLetter[] = [];
    const unread: UnreadLetters[] = [];
    const chunk = wanted.slice(from, from + lettersMax);
    for (const id of chunk) {
      const found = await readLetters(log, id - 1, 1);
      const [letter] = found.letters;
      if (found.unread !== null) unread.push({ after: id - 1, before: id + 1 });
      else if (letter?.id === id) letters.push(letter);
    }
    yield { letters, unknown: chunk.length - letters.length - unread.length, unread };
  }
}
