/** Dead letters in chunks of bounded size, for a retry. Rejects when the store fails. */
import type { RejectionCode } from '@pi-ledger/contract';
import type { DeadLetter, Log } from '../log/log.ts';

export interface DeadLetterChunk {
  readonly letters: readonly DeadLetter[];
  /** Ids without a dead letter. */
  readonly unknown: number;
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
  for (let seen = 0; seen < countMax; ) {
    const letters = await log.deadLetters(after, lettersMax, lettersCharsMax);
    const last = letters.at(-1);
    if (last === undefined) return;
    yield {
      letters: which === 'all' ? letters : letters.filter(({ code }) => code === futureCode),
      unknown: 0,
    };
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
    const chunk = wanted.slice(from, from + lettersMax);
    for (const id of chunk) {
      const [letter] = await log.deadLetters(id - 1, 1);
      if (letter?.id === id) letters.push(letter);
    }
    yield { letters, unknown: chunk.length - letters.length };
  }
}
