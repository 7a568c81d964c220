/** Which rows of a long table are drawn. Pure. */

export interface Seen {
  /** How far it is scrolled, how much is seen, and how high a row is, in px. */
  readonly top: number;
  readonly height: number;
  readonly row: number;
}

/** Beyond both ends, so that none is missing while it scrolls. */
const beyond = 12;

/** `last` is not drawn any more. */
export function rowsWithin(
  count: number,
  { top, height, row }: Seen,
): { readonly first: number; readonly last: number } {
  const first = Math.max(0, Math.min(count, Math.floor(top / row)) - beyond);
  const last = Math.min(count, Math.ceil((top + height) / row) + beyond);
  return { first: Math.min(first, last), last };
}
