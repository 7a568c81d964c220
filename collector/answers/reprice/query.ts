/** What the same tokens would have cost under another price list. */
import type { Repriced } from '@pi-ledger/contract/answers';
import type { Grouping } from '@pi-ledger/contract/groupings';
import { LedgerError } from '../../errors.ts';
import { usage } from '../../projections/usage.ts';
import type { Condition, SumRow } from '../../views/views.ts';
import { periodConditions, usageConditions } from '../filters/conditions.ts';
import type { Period, UsageFilters } from '../filters/filters.ts';
import { labelConditions } from '../filters/label-filter.ts';
import { type ComputedOptions, withComputed } from '../spend/computed.ts';
import { dimensionsOf, labelled } from '../spend/grouping.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { readCatalogue } from './catalogue.ts';
import { makeRepriceReport } from './report.ts';
import { createReprice, type RepriceOptions } from './reprice.ts';

export interface RepriceQuestion extends UsageFilters, Period {
  readonly by: readonly Grouping[];
  /** The most rows to return. */
  readonly limit: number;
  /** In the shape of models.dev's api.json. */
  readonly catalogue: unknown;
}

/** Throws a LedgerError for a bad catalogue, a bad period, or too many groups. */
export async function repricedUsage(
  options: RepriceOptions & ComputedOptions,
  visible: VisibleViews,
  question: RepriceQuestion,
): Promise<Repriced> {
  const { by, limit } = question;
  const catalogue = readCatalogue(question.catalogue);
  if (catalogue.is === 'refused') throw refused(catalogue.problems[0]);
  const { prices } = catalogue;
  const named = [...visible.where, ...usageConditions(question)];
  const where = [
    ...named,
    ...(await labelConditions(options, question, named)),
    ...periodConditions(question, { day: 'day', hour: 'hour' }),
  ];
  const sums = await createReprice(options)({ prices, by: dimensionsOf(by), where });
  const report = makeRepriceReport(by, await withComputed(options, visible, by, sums), prices);
  return {
    by,
    rows: report.rows
      .slice(0, limit)
      .map(({ labels, billing, figures }) => ({ ...labelled(by, labels), billing, ...figures })),
    totals: report.totals.map(({ billing, figures }) => ({ billing, ...figures })),
    missing: report.missing,
    rowsLeftOut: Math.max(0, report.rows.length - limit),
    sealedRecords: await sealedRecords(options, where, sums),
  };
}

/** Records that the views count but the log no longer holds. */
async function sealedRecords(
  { log, views, sessions }: RepriceOptions,
  where: readonly Condition[],
  sums: readonly SumRow[],
): Promise<number> {
  if ((await log.history.seal()) === null) return 0;
  const counted = await views.sum(sessions, usage, { by: [], where });
  const records = (rows: readonly SumRow[]) =>
    rows.reduce((sum, { measures }) => sum + Number(measures.records ?? 0n), 0);
  return Math.max(0, records(counted) - records(sums));
}

function refused(
  problem: { readonly place: string; readonly message: string } | undefined,
): LedgerError {
  const { place = '', message = 'not a catalogue' } = problem ?? {};
  return new LedgerError('bad_parameter', {
    field: place,
    message: `catalogue: ${place === '' ? '' : `${place}: `}${message}.`,
  });
}
