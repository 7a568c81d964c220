/**
 * The rows that sums are made of, day by day, for exports: one for each combination of the asked
 * dimensions, day and billing. Amounts of one row are of one kind of billing.
 *
 * Guarantees: a page holds the sums of one day at most, beside its own rows. Within a day rows have
 * a fixed order, so that pages continue after a row's position whatever arrives meanwhile.
 */

import { type FineMeasure, fineMeasures, type UsageFineRow } from '@pi-ledger/contract/answers';
import { readBilling } from '@pi-ledger/contract/billings';
import type { RowDimension } from '@pi-ledger/contract/row-dimensions';
import { usage } from '../../projections/usage.ts';
import type { Condition, SumRow } from '../../views/views.ts';
import { periodConditions, usageConditions } from '../filters/conditions.ts';
import type { Period, UsageFilters } from '../filters/filters.ts';
import { exactFigure } from '../spend/exact-count.ts';
import type { UsageViews } from '../views/usage-views.ts';

export interface RowsQuestion extends UsageFilters, Period {
  readonly by: readonly RowDimension[];
}

export interface RowsPosition {
  readonly day: string;
  /** It places the row within its day. */
  readonly key: string;
}

export interface PlacedRow {
  readonly position: RowsPosition;
  readonly row: UsageFineRow;
}

/** Up to `limit` rows after this position; fewer are the end. Throws `bad_parameter`. */
export async function usageRows(
  { views, sessions }: UsageViews,
  question: RowsQuestion,
  limits: readonly Condition[],
  { after, limit }: { readonly after: RowsPosition | null; readonly limit: number },
): Promise<readonly PlacedRow[]> {
  const where = [
    ...usageConditions(question),
    ...periodConditions(question, { day: 'day', hour: 'hour' }),
    ...limits,
  ];
  const sum = (by: readonly string[], more: readonly Condition[]) =>
    views.sum(sessions, usage, { by, where: [...where, ...more] });
  const from: Condition[] =
    after === null ? [] : [{ column: 'day', is: 'from', values: [after.day] }];
  const days = (await sum(['day'], from)).map(({ dimensions }) => dimensions.day ?? '').sort();
  const found: PlacedRow[] = [];
  for (const day of days) {
    const sums = await sum(
      ['billing', ...question.by],
      [{ column: 'day', is: 'in', values: [day] }],
    );
    const rows = sums.map((each) => placed(day, question.by, each));
    const rest =
      after?.day === day ? rows.filter(({ position }) => position.key > after.key) : rows;
    found.push(...rest.toSorted((a, b) => (a.position.key < b.position.key ? -1 : 1)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

function placed(day: string, by: readonly RowDimension[], sum: SumRow): PlacedRow {
  const { dimensions } = sum;
  const named = by.map((name) => [name, dimensions[name] || null] as const);
  const billing = readBilling(dimensions.billing);
  return {
    position: { day, key: JSON.stringify([billing, ...named.map(([, value]) => value ?? '')]) },
    row: { day, billing, ...Object.fromEntries(named), ...figuresOf(sum.measures) },
  };
}

function figuresOf(measures: SumRow['measures']) {
  const figures = fineMeasures.map((name) => [name, exactFigure(name, measures[name] ?? 0n)]);
  return Object.fromEntries(figures) as Pick<UsageFineRow, FineMeasure>;
}
