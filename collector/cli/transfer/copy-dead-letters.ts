/**
 * Copies dead letters from one log to another. They have no identity: those that the target already
 * has, counted with repetitions, are skipped. So an interrupted copy continues, even when some of
 * the source's dead letters were retried or removed meanwhile. The target assigns new ids. What
 * cannot be read in the source is passed over, and said.
 */
import { createHash } from 'node:crypto';
import {
  type ReadLetters,
  readLetters,
  type UnreadLetters,
} from '../../ingest/readable-letters.ts';
import type { DeadLetter, Log } from '../../log/log.ts';

export interface DeadLettersCopied {
  readonly added: number;
  /** Already in the target. */
  readonly known: number;
}

/** Held at once; each may be as large as an event. */
const lettersInHandMax = 500;
const charsInHandMax = 8 * 1024 * 1024;
type DeadLetters = Pick<Log, 'deadLetters'>;

export async function copyDeadLetters(
  from: DeadLetters,
  to: Log,
  onUnread: (unread: UnreadLetters) => void,
): Promise<DeadLettersCopied> {
  const there = await countAlike(to);
  let added = 0;
  let known = 0;
  for await (const letters of lettersOf(from, onUnread)) {
    const missing = letters.filter((letter) => !takeOne(there, letterLikeness(letter)));
    known += letters.length - missing.length;
    await Promise.all(
      missing.map(({ receivedAtMs, code, field, message, body }) =>
        to.append({ receivedAtMs, events: [], deadLetters: [{ code, field, message, body }] }),
      ),
    );
    added += missing.length;
  }
  return { added, known };
}

/** How often the log has each one; some 100 bytes of memory per dead letter. */
async function countAlike(log: Log): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const letters of lettersOf(log)) {
    for (const letter of letters) {
      const likeness = letterLikeness(letter);
      counts.set(likeness, (counts.get(likeness) ?? 0) + 1);
    }
  }
  return counts;
}

function takeOne(counts: Map<string, number>, likeness: string): boolean {
  const count = counts.get(likeness) ?? 0;
  if (count === 0) return false;
  counts.set(likeness, count - 1);
  return true;
}

function letterLikeness({ receivedAtMs, code, field, message, body }: DeadLetter): string {
  return createHash('sha256')
    .update(JSON.stringify([receivedAtMs, code, field, message, body]))
    .digest('base64');
}

async function* lettersOf(
  log: DeadLetters,
  onUnread?: (unread: UnreadLetters) => void,
): AsyncGenerator<readonly DeadLetter[]> {
  for (let after = 0; ; ) {
    const { letters, unread } = await read(log, after, onUnread !== undefined);
    if (unread !== null) onUnread?.(unread);
    const last = letters.at(-1);
    if (last === undefined) return;
    yield letters;
    after = last.id;
  }
}

async function read(log: DeadLetters, after: number, isTolerant: boolean): Promise<ReadLetters> {
  if (isTolerant) return readLetters(log, after, lettersInHandMax, charsInHandMax);
  const letters = await log.deadLetters(after, lettersInHandMax, charsInHandMax);
  return { letters, unread: null };
}
