/**
 * Dead letters past what cannot be read of them: where a page of the store is damaged, those before
 * and after it are read, and between which ids nothing can be is said.
 */
import { LedgerError } from '../errors.ts';
import type { DeadLetter, Log } from '../log/log.ts';

/** Ids between which nothing can be read; `before` is null: none after it can. */
export interface UnreadLetters {
  readonly after: number;
  readonly before: number | null;
}

export interface ReadLetters {
  /** None: there are no more that can be read. */
  readonly letters: readonly DeadLetter[];
  /** What was passed over before them. */
  readonly unread: UnreadLetters | null;
}

type DeadLetters = Pick<Log, 'deadLetters'>;

/** Ids that are tried one after the other where a page is damaged: more than are ever kept. */
const idsTriedMax = 20_000;

/** As `Log.deadLetters`; fewer than there are before a damaged page. Rejects for other reasons. */
export async function readLetters(
  log: DeadLetters,
  after: number,
  limit: number,
  charsMax?: number,
): Promise<ReadLetters> {
  for (let count = limit; count > 0; count = Math.floor(count / 2)) {
    const letters = await readOrNull(log, after, count, charsMax);
    if (letters !== null) return { letters, unread: null };
  }
  for (let id = after + 1; id <= after + idsTriedMax; id++) {
    const letters = await readOrNull(log, id, 1);
    if (letters !== null) return { letters, unread: { after, before: letters.at(0)?.id ?? null } };
  }
  return { letters: [], unread: { after, before: null } };
}

/**
 * Removes them. Returns those that are left: a page beside them is damaged, and cannot be joined
 * with theirs.
 */
export async function removeReadable(
  log: Pick<Log, 'removeDeadLetters'>,
  letters: readonly DeadLetter[],
): Promise<ReadonlySet<DeadLetter>> {
  const { length } = letters;
  const isDone = await unlessDamaged(() => log.removeDeadLetters(letters.map(({ id }) => id)));
  if (isDone !== null) return new Set();
  if (length === 1) return new Set(letters);
  const half = Math.floor(length / 2);
  const [first, rest] = [letters.slice(0, half), letters.slice(half)];
  return new Set([...(await removeReadable(log, first)), ...(await removeReadable(log, rest))]);
}

function readOrNull(
  log: DeadLetters,
  ...where: Parameters<Log['deadLetters']>
): Promise<readonly DeadLetter[] | null> {
  return unlessDamaged(() => log.deadLetters(...where));
}

/** Resolves to null when a page is damaged. */
async function unlessDamaged<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'store_damaged') return null;
    throw error;
  }
}
