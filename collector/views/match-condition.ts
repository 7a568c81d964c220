/** Conditions of queries, for rows that are in no store. Pure. */
import type { Condition, SumRow } from './views.ts';

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
