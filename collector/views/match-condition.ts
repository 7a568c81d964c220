/** Conditions of queries, for rows that are in no store. Pure. */
import { compareStored } from './stored-order.ts';
import type { Condition, SumRow, ViewDocument } from './views.ts';

/**
 * Whether a row with these dimensions matches, as in the store; a missing dimension counts as
 * empty.
 */
export function fits(dimensions: SumRow['dimensions'], conditions: readonly Condition[]): boolean {
  return conditions.every(({ column, is, values }) => {
    const value = dimensions[column] ?? '';
    if (is === 'in') return values.includes(value);
    const bound = String(values[0]);
    return is === 'from' ? value >= bound : value < bound;
  });
}

/** Whether a document matches, as in the store; a missing column is in no range. */
export function documentFits(
  { key, columns }: Pick<ViewDocument, 'key' | 'columns'>,
  conditions: readonly Condition[],
): boolean {
  return conditions.every(({ column, is, values }) => {
    const value = column === 'key' ? key : (columns[column] ?? null);
    if (is === 'in') return values.includes(value);
    const [bound = null] = values;
    if (value === null || bound === null) return false;
    const order = compareStored(value, bound);
    return is === 'from' ? order >= 0 : order < 0;
  });
}
