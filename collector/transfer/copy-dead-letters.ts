/**
 * Copies dead letters from one log to another. They have no identity: those that the target already
 * has, counted with repetitions, are skipped. So an interrupted copy continues, even when some of
 * the source's dead letters were retried or removed meanwhile. The target assigns new ids. What
 * cannot be read in the source is passed over, and said.
 */
import { createHash } from 'node:crypto';
import { LedgerError } from '../errors.ts';
import type { DeadLetter, Log } from '../log/log.ts';

export interface DeadLettersCopied {
  readonly added: number;
  /** Already in the target. */
  readonly known: number;
}

/** Ids of the source between which nothing can be read; `before` is null: none after it can. */
export interface UnreadLetters {
  readonly after: number;
  readonly before: number | null;
}

/** Held at once; each may be as large as an event. */
const lettersInHandMax = 500;
const charsInHandMax = 8 * 1024 * 1024;
/** Ids that are tried one after the other where a page is damaged: more than are ever kept. */
const idsTriedMax = 20_000;

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
    const missing = letters.filter((letter) => !takeOne(there, likenessOf(letter)));
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
      const likeness = likenessOf(letter);
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

function likenessOf({ receivedAtMs, code, field, message, body }: DeadLetter): string {
  return createHash('sha256')
    .update(JSON.stringify([receivedAtMs, code, field, message, body]))
    .digest('base64');
}

async function* lettersOf(
  log: DeadLetters,
  onUnread?: (unread: UnreadLetters) => void,
): AsyncGenerator<readonly DeadLetter[]> {
  const read = onUnread === undefined ? readOrThrow : readOrNull;
  let limit = lettersInHandMax;
  for (let after = 0; ; ) {
    const found = await read(log, after, limit);
    const isUnread = found === null;
    // The last ones before a damaged page are read singly.
    if (isUnread && limit > 1) limit = 1;
    else {
      const letters = found ?? (await firstAfter(log, after, onUnread));
      const last = letters.at(-1);
      if (last === undefined) return;
      yield letters;
      after = last.id;
      if (isUnread) limit = lettersInHandMax;
    }
  }
}

/** The next that can be read; none: nothing more can be. */
async function firstAfter(
  log: DeadLetters,
  after: number,
  onUnread?: (unread: UnreadLetters) => void,
): Promise<readonly DeadLetter[]> {
  let found: readonly DeadLetter[] | null = null;
  for (let id = after + 1; found === null && id <= after + idsTriedMax; id++)
    found = await readOrNull(log, id, 1);
  onUnread?.({ after, before: found?.at(0)?.id ?? null });
  return found ?? [];
}

function readOrThrow(log: DeadLetters, after: number, limit: number) {
  return log.deadLetters(after, limit, charsInHandMax);
}

/** Null: a page is damaged. */
async function readOrNull(
  ...where: Parameters<typeof readOrThrow>
): Promise<readonly DeadLetter[] | null> {
  try {
    return await readOrThrow(...where);
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'store_damaged') return null;
    throw error;
  }
}
