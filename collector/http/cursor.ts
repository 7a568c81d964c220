/** Pages of lists, bounded in rows and in length, and the opaque cursors between them. */
import { LedgerError } from '../errors.ts';
import { inTurns } from '../timers/in-turns.ts';

export type CursorPart = string | number | null;

export function encodeCursor(parts: readonly CursorPart[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Returns null without a cursor; throws `bad_parameter` if this list never gave such a cursor. */
export function decodeCursor(
  cursor: string | undefined,
  length: number,
): readonly CursorPart[] | null {
  if (cursor === undefined) return null;
  const parts = parse(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(parts) && parts.length === length && parts.every(isPart)) return parts;
  throw badCursor();
}

/** An amount, which is text in a cursor; throws as above. */
export function amountIn(part: unknown): bigint {
  if (typeof part === 'string' && /^-?\d{1,40}$/.test(part)) return BigInt(part);
  throw badCursor();
}

export function badCursor(): LedgerError {
  return new LedgerError('bad_parameter', {
    field: 'cursor',
    message: 'cursor: must be the `next` of the previous page of this list.',
  });
}

/** Cuts a page out of the `limit + 1` rows that were read. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { rows: readonly Row[]; next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** A page of long rows has fewer rows. */
export const pageChars = 4 * 1024 * 1024;

/**
 * As many rows of a page as fit into `pageChars`, at least one. `places`: for each row, the
 * argument of `cursorOf`; `next`: the cursor after all of them.
 */
export async function fitPage<Row, Place>(
  {
    rows,
    places,
    next,
  }: {
    readonly rows: readonly Row[];
    readonly places: readonly Place[];
    readonly next: string | null;
  },
  cursorOf: (last: Place) => string,
): Promise<{ rows: readonly Row[]; next: string | null }> {
  let chars = 0;
  let fitting = 0;
  function* whileTheyFit(): Generator<Row> {
    for (const row of rows) {
      yield row;
      if (chars > pageChars) return;
    }
  }
  await inTurns(whileTheyFit(), (row) => {
    chars += JSON.stringify(row).length;
    if (chars <= pageChars || fitting === 0) fitting += 1;
  });
  const last = places[fitting - 1];
  return fitting === rows.length || last === undefined
    ? { rows, next }
    : { rows: rows.slice(0, fitting), next: cursorOf(last) };
}

function isPart(value: unknown): value is CursorPart {
  return (
    value === null ||
    typeof value === 'string' ||
    (typeof value === 'number' && Number.isSafeInteger(value))
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // not a cursor; the caller reports it
  }
}
