/** What groupings take from sums of the rollup `usage`, and the labels they make. Pure. */

import {
  type Grouping,
  groupingsText,
  isLabelGrouping,
  keyOf,
  readGroupings,
} from '@pi-ledger/contract/groupings';
import { dayMs } from '@pi-ledger/core/time/units';
import { LedgerError } from '../../errors.ts';
import { labelsIn } from '../../projections/session/notes/label-text.ts';
import type { SumRow } from '../../views/views.ts';
import { computedFrom, isComputed } from './computed.ts';

/** For the parameter `by`: throws `bad_parameter` for what is no grouping. */
export function expectGroupings(text: string): readonly Grouping[] {
  const read = readGroupings(text);
  if (read.is === 'read') return read.by;
  const problem =
    read.is === 'refused'
      ? read.problem
      : `${JSON.stringify(read.word)} is not one of ${groupingsText}`;
  throw new LedgerError('bad_parameter', { field: 'by', message: `by: ${problem}.` });
}

/** The rollup's dimensions for these groupings. */
export function dimensionsOf(by: readonly Grouping[]): string[] {
  return [
    ...new Set(by.flatMap((each) => (isComputed(each) ? computedFrom[each] : [dimensionOf(each)]))),
  ];
}

/** Whether rows are sorted by time. */
export function isTime(by: Grouping): boolean {
  return by === 'hour' || dimensionOf(by) === 'day';
}

/** The labels of sums in these groupings; empty when unknown. */
export function labelsOf(
  by: readonly Grouping[],
  dimensions: SumRow['dimensions'],
): readonly string[] {
  return by.map((each) => {
    const value = dimensions[dimensionOf(each)] ?? '';
    return isLabelGrouping(each) ? (labelsIn(value).get(keyOf(each)) ?? '') : labelOf(each, value);
  });
}

/** The labels under the names of their groupings; null when unknown. */
export function labelled(
  by: readonly Grouping[],
  labels: readonly string[],
): { readonly [Name in Grouping]?: string | null } {
  return Object.fromEntries(by.map((each, index) => [each, labels[index] || null]));
}

/** The ISO week (Monday to Sunday) of a day. A week belongs to the year of its Thursday. */
export function isoWeekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * dayMs);
  const yearStartMs = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - yearStartMs) / (7 * dayMs)) + 1;
  return `${String(thursday.getUTCFullYear()).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}

/** In sums; computed.ts adds what no dimension holds. */
function dimensionOf(by: Grouping): string {
  if (isLabelGrouping(by)) return 'labels';
  return by === 'week' || by === 'month' ? 'day' : by;
}

function labelOf(by: Grouping, value: string): string {
  if (value === '') return '';
  if (by === 'hour') return `${value}:00:00Z`;
  if (by === 'week') return isoWeekOf(value);
  return by === 'month' ? value.slice(0, 7) : value;
}
