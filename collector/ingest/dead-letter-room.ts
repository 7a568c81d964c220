/**
 * How much of what is refused is kept: so many dead letters, of so many characters together. With
 * more, the oldest ones stay and the new one is not kept: its sender is told in the ack, and health
 * counts it. So nobody fills the disk with what is no event, and nothing goes without a word.
 *
 * Contract: what `take` has granted is counted until it is given back or forgotten. It rejects when
 * the store fails. What another process adds or removes is not noticed before `look`, and what
 * comes in while that looks may be counted twice or not at all.
 */
import type { AppendBatch, DeadLetter, Log } from '../log/log.ts';

export interface DeadLetterStanding {
  readonly count: number;
  readonly isFull: boolean;
  /** Since the process started. */
  readonly notKept: number;
}

type Letter = AppendBatch['deadLetters'][number];

/** What is counted of one. */
interface Sized {
  readonly code: string;
  readonly body: { readonly length: number };
}

export interface DeadLetterRoom {
  /** Of these, in order, those that there is room for. */
  take(letters: readonly Letter[]): Promise<readonly boolean[]>;
  /** They were not stored after all. */
  giveBack(letters: readonly Letter[]): void;
  /** They were removed from the store. */
  forget(letters: readonly DeadLetter[]): void;
  /** Counts those in the store anew: another process may have written it. */
  look(): Promise<void>;
  /** How many there are of each code. */
  codes(): Promise<ReadonlyMap<string, number>>;
  /** As far as is known. */
  standing(): DeadLetterStanding;
}

export interface DeadLetterBounds {
  readonly countMax: number;
  readonly charsMax: number;
}

const boundsDefault: DeadLetterBounds = { countMax: 10_000, charsMax: 64 * 1024 * 1024 };
/** In hand at once while the store is looked at. */
const readCharsMax = 8 * 1024 * 1024;
const readMax = 1_000;

export function createDeadLetterRoom(
  log: Log,
  { countMax, charsMax }: DeadLetterBounds = boundsDefault,
): DeadLetterRoom {
  let counts = new Map<string, number>();
  let count = 0;
  let chars = 0;
  let notKept = 0;
  let looked: Promise<void> | null = null;

  function add({ code, body }: Sized, sign: 1 | -1): void {
    counts.set(code, (counts.get(code) ?? 0) + sign);
    count += sign;
    chars += sign * body.length;
  }

  async function look(): Promise<void> {
    const found: Sized[] = [];
    for (let after = 0; ; ) {
      const letters = await log.deadLetters(after, readMax, readCharsMax);
      const last = letters.at(-1);
      if (last === undefined) break;
      after = last.id;
      for (const { code, body } of letters) found.push({ code, body: { length: body.length } });
    }
    counts = new Map();
    count = 0;
    chars = 0;
    for (const letter of found) add(letter, 1);
  }

  function lookOnce(): Promise<void> {
    looked ??= look().catch((error: unknown) => {
      looked = null;
      throw error;
    });
    return looked;
  }

  return {
    async take(letters) {
      if (letters.length === 0) return [];
      await lookOnce();
      return letters.map((letter) => {
        const fits = count < countMax && chars + letter.body.length <= charsMax;
        if (fits) add(letter, 1);
        else notKept += 1;
        return fits;
      });
    },
    giveBack(letters) {
      for (const letter of letters) add(letter, -1);
    },
    forget(letters) {
      if (looked !== null) for (const letter of letters) add(letter, -1);
    },
    look() {
      looked = null;
      return lookOnce();
    },
    async codes() {
      await lookOnce();
      return counts;
    },
    standing: () => ({ count, isFull: count >= countMax || chars >= charsMax, notKept }),
  };
}
