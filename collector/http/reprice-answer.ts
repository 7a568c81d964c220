/** The answer of `POST /v1/reprice`. */
import type { Repriced } from '@pi-ledger/contract/answers';
import { LedgerError } from '../errors.ts';
import { usage } from '../projections/usage.ts';
import { readCatalogue } from '../reprice/catalogue.ts';
import { createReprice, type RepriceOptions } from '../reprice/reprice.ts';
import type { Condition, SumRow } from '../views/views.ts';
import { periodConditions } from './conditions.ts';
import { limitMax } from './parameters.ts';
import type { Reading } from './reading.ts';
import { makeRepriceReport } from './reprice-report.ts';
import { underRoots } from './session-trees.ts';
import { type UsageQuery, usageFilters } from './usage-query.ts';
import { dimensionOf, labelled } from './usage-report.ts';

/** Throws a LedgerError for a bad catalogue, a bad period, and more groups than are held. */
export async function answerReprice(
  options: RepriceOptions,
  query: UsageQuery & { readonly limit?: number },
  body: unknown,
  reading: Reading,
): Promise<Repriced> {
  const { by = 'project', limit = limitMax } = query;
  const catalogue = readCatalogue(body);
  if (catalogue.is === 'refused') throw refused(catalogue.problems[0]);
  const { prices } = catalogue;
  const where = [...reading.where, ...usageFilters(query), ...periodConditions(query, { day: 'day', hour: 'hour' })];
  const sums = await createReprice(options)({ prices, by: dimensionOf(by), where });
  const report = makeRepriceReport(by, by === 'tree' ? (await underRoots(reading.views, sums)).sums : sums, prices);
  return {
    by,
    rows: report.rows.slice(0, limit).map(({ label, billing, figures }) => ({ ...labelled(by, label), billing, ...figures })),
    totals: report.totals.map(({ billing, figures }) => ({ billing, ...figures })),
    missing: report.missing,
    rowsLeftOut: Math.max(0, report.rows.length - limit),
    sealedRecords: await sealedRecords(options, where, sums),
  };
}

/** Those that the views count and the log does not have any more. */
async function sealedRecords(
  { log, views, sessions }: RepriceOptions,
  where: readonly Condition[],
  sums: readonly SumRow[],
): Promise<number> {
  if ((await log.history.seal()) === null) return 0;
  const counted = await views.sum(sessions, usage, { by: [], where });
  const records = (rows: readonly SumRow[]) => rows.reduce((sum, { measures }) => sum + Number(measures.records ?? 0n), 0);
  return Math.max(0, records(counted) - records(sums));
}

function refused(problem: { readonly place: string; readonly message: string } | undefined): LedgerError {
  const { place = '', message = 'not a catalogue' } = problem ?? {};
  return new LedgerError('bad_parameter', { field: place, message: `catalogue: ${place === '' ? '' : `${place}: `}${message}.` });
}
