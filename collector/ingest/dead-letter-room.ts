/**
 * Bounds the dead letters: their number, and their characters in total. Beyond that the oldest ones
 * stay and a new one is not kept; its sender is told in the ack, and health counts it. So nobody
 * fills the disk with rejected input, and every loss is reported.
 *
 * What cannot be read is not counted.
 *
 * Contract: what `take` grants is counted until it is given back or forgotten. It rejects when the
 * store fails. What another process adds or removes is not noticed before `recount`, and what
 * arrives during a recount may be counted twice or not at all.
 */
import type { AppendBatch, DeadLetter, Log } from '../log/log.ts';
import { readLetters } from './readable-letters.ts';

export interface DeadLetterStatus {
  readonly count: number;
  readonly isFull: boolean;
  /** Since the process started. */
  readonly notKept: number;
}

type Letter = AppendBatch['deadLetters'][number];

/** What is counted of a dead letter. */
interface Sized {
  readonly code: string;
  readonly body: { readonly length: number };
}

export interface DeadLetterRoom {
  /** For each, in order, whether there is room for it. */
  take(letters: readonly Letter[]): Promise<readonly boolean[]>;
  /** They were not stored. */
  giveBack(letters: readonly Letter[]): void;
  /** They were removed from the store. */
  forget(letters: readonly DeadLetter[]): void;
  /** Counts those in the store again: another process may have changed them. */
  recount(): Promise<void>;
  /** How many there are by code. */
  codes(): Promise<ReadonlyMap<string, number>>;
  /** As of the last count. */
  status(): DeadLetterStatus;
}

export interface DeadLetterBounds {
  readonly countMax: number;
  readonly charsMax: number;
}

const boundsDefault: DeadLetterBounds = { countMax: 10_000, charsMax: 64 * 1024 * 1024 };
/** Read at once while counting. */
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
  let counted: Promise<void> | null = null;

  function add({ code, body }: Sized, sign: 1 | -1): void {
    counts.set(code, (counts.get(code) ?? 0) + sign);
    count += sign;
    chars += sign * body.length;
  }

  async function countAll(): Promise<void> {
    const found: Sized[] = [];
    for (let after = 0; ; ) {
      const { letters } = await readLetters(log, after, readMax, readCharsMax);
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

  function countOnce(): Promise<void> {
    counted ??= countAll().catch((error: unknown) => {
      counted = null;
      throw error;
    });
    return counted;
  }

  return {
    async take(letters) {
      if (letters.length === 0) return [];
      await countOnce();
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
      if (counted !== null) for (const letter of letters) add(letter, -1);
    },
    recount() {
      counted = null;
      return countOnce();
    },
    async codes() {
      await countOnce();
      return counts;
    },
    status: () => ({ count, isFull: count >= countMax || chars >= charsMax, notKept }),
  };
}
