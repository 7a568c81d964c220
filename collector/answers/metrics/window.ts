/** The rows of the projection `utilization`, and the peaks of the last hour, as points. */
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { runDurations } from '../../projections/timings/buckets.ts';
import { peaksIn } from '../../projections/utilization/document.ts';
import { shares, tokensAfter, tokensBefore } from '../../projections/utilization/totals.ts';
import { utilization } from '../../projections/utilization.ts';
import type { SumRow, ViewDocument, ViewsReader } from '../../views/views.ts';
import { durationsIn, histogramIn } from './histogram.ts';
import {
  type Counted,
  counterPoints,
  each,
  gaugePoints,
  histogramPoints,
  isSome,
  modelOf,
  type Named,
  placeOf,
} from './points.ts';

export interface WindowRows {
  readonly utilization: readonly SumRow[];
  readonly compactions: readonly SumRow[];
  readonly compacted: readonly SumRow[];
}

/** Each metric is computed when it is called for. */
export function windowPoints({ utilization, compactions, compacted }: WindowRows) {
  return {
    utilization: () =>
      histogramPoints(
        metrics.utilization,
        each(utilization, (row) => [
          {
            named: modelOf(row),
            histogram: histogramIn(row, {
              ...shares,
              bounds: shares.bounds.map((ppm) => ppm / 1e6),
            }),
          },
        ]),
      ),
    compactions: () =>
      counterPoints(
        metrics.compactions,
        each(compactions, (row) => [compactionsIn(row)].filter(isSome)),
      ),
    compactionDuration: () =>
      histogramPoints(
        metrics.compactionDuration,
        each(compactions, (row) => [
          { named: namedCompaction(row), histogram: durationsIn(row, runDurations) },
        ]),
      ),
    tokensBefore: () =>
      histogramPoints(
        metrics.tokensBefore,
        each(compacted, (row) => [
          { named: placeOf(row), histogram: histogramIn(row, tokensBefore) },
        ]),
      ),
    tokensAfter: () =>
      histogramPoints(
        metrics.tokensAfter,
        each(compacted, (row) => [
          { named: placeOf(row), histogram: histogramIn(row, tokensAfter) },
        ]),
      ),
  };
}

const hourMinutes = 60;
const sessionsPerPage = 500;

/** The highest of each project in the hour before. */
export async function highestPoints(views: ViewsReader, nowMs: number) {
  const since = Math.floor(nowMs / 60_000) - hourMinutes;
  const highest: Counted[] = [];
  for (let after: ViewDocument | undefined; ; ) {
    const found = await views.find(utilization, {
      where: [{ column: 'sampledMinute', is: 'from', values: [since] }],
      orderBy: { column: 'sampledMinute', descending: false },
      ...(after === undefined ? {} : { after: placeIn(after) }),
      limit: sessionsPerPage,
    });
    highest.push(...found.flatMap((document) => peaksOf(document, since, since + hourMinutes)));
    after = found.at(-1);
    if (found.length < sessionsPerPage) break;
  }
  return { utilizationMax: () => gaugePoints(metrics.utilizationMax, highest) };
}

function placeIn({ key, columns }: ViewDocument) {
  return { value: columns.sampledMinute ?? null, key };
}

/** None where the clock that sampled runs ahead. */
function peaksOf({ columns, body }: ViewDocument, since: number, until: number): Counted[] {
  const lately = peaksIn(body).filter(([minute]) => minute >= since && minute <= until);
  if (lately.length === 0) return [];
  const amount = BigInt(Math.max(...lately.map(([, share]) => share)));
  return [{ named: { 'pi.project': String(columns.project ?? '') }, amount }];
}

function compactionsIn(row: SumRow): Counted {
  const named = { ...namedCompaction(row), 'pi.outcome': row.dimensions.outcome ?? '' };
  return { named, amount: row.measures.compactions ?? 0n };
}

function namedCompaction(row: SumRow): Named {
  const { trigger = '' } = row.dimensions;
  return { ...placeOf(row), 'pi.compaction.trigger': trigger === '' ? 'unknown' : trigger };
}
