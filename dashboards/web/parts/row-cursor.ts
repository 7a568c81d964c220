/**
 * The row cursor of tables: it is the focus, on a row. The keys of the page and those of a table
 * move it in the same way.
 */

const rowSelector = 'tr[data-row]';

/** Returns null when the focus is on no row. */
function rowAtCursor(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(rowSelector) ?? null;
}

/**
 * One row on or back in the table that has the focus, or else in the first one of the page. False:
 * there is no such row.
 */
export function moveRowCursor(by: 1 | -1): boolean {
  const current = rowAtCursor();
  const table =
    document.activeElement?.closest('.table') ??
    document.querySelector(`.table:has(${rowSelector})`);
  const rows = [...(table?.querySelectorAll<HTMLElement>(rowSelector) ?? [])];
  const next = current === null ? rows[0] : rows[rows.indexOf(current) + by];
  next?.focus();
  return next !== undefined;
}

/** Opens what the row at the cursor links to. False: it links to nothing. */
export function openRowAtCursor(): boolean {
  const link = rowAtCursor()?.querySelector('a');
  link?.click();
  return link !== undefined && link !== null;
}

/** The number of the row at the cursor, in the order of the table; null: no row. */
export function indexAtCursor(): number | null {
  const text = rowAtCursor()?.dataset.row;
  return text === undefined ? null : Number(text);
}
