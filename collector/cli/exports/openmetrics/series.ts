/**
 * Rows of usage as series of cumulative samples, for a database of metrics: what it would hold, had
 * it asked since the first row. Pure.
 *
 * Each hour in which a series grows has two samples: what it stood at, one second after the hour
 * begins, and what it stands at when the hour ends. So the first sample of a series is zero, and
 * `max_over_time - min_over_time` over whole hours is exactly what they held, however the range
 * meets the samples at its ends.
 */

import { decimalText } from '@pi-ledger/contract/amounts';
import type { UsageFineRow } from '@pi-ledger/contract/answers';
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { prometheusName } from '@pi-ledger/contract/telemetry/prometheus-names';
import { seriesText } from '@pi-ledger/contract/telemetry/prometheus-text';
import { type SpendKey, spendPoints } from '../../../answers/metrics/spend.ts';
import type { SumRow } from '../../../views/views.ts';

export const historyKeys = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'cost',
  'records',
] as const satisfies readonly SpendKey[];

/** What rows have to be split by, and by user where users are told. */
export const historyDimensions = [
  'hour',
  'project',
  'provider',
  'model',
  'host',
  'kind',
  'costSource',
] as const;

export interface HistoryOptions {
  readonly job: string;
  readonly instance: string;
  /** No sample of the current hour is later. */
  readonly nowMs: number;
}

/** Growth by the start of its hour, in seconds since 1970. */
type Series = Map<number, bigint>;

export interface HistorySeries {
  /** In any order; of all rows of a series. */
  add(row: UsageFineRow): Promise<void>;
  /** Whole lines; of each series together, by time. */
  read(key: SpendKey): { lines: string; series: number; samples: number };
}

export function createHistorySeries({ job, instance, nowMs }: HistoryOptions): HistorySeries {
  const families = new Map(historyKeys.map((key) => [key, new Map<string, Series>()]));
  return {
    async add(row) {
      const hour = Date.parse(`${row.hour}:00:00Z`) / 1000;
      const points = spendPoints([toSumRow(row)], true);
      for (const [key, family] of families) {
        const name = prometheusName(metrics[key]);
        for (const point of await points[key]()) {
          if (!('amount' in point)) continue;
          const text = seriesText(name, { job, instance, ...point.attributes });
          const series = family.get(text) ?? new Map<number, bigint>();
          family.set(text, series);
          series.set(hour, (series.get(hour) ?? 0n) + point.amount);
        }
      }
    },
    read(key) {
      const lines = [...(families.get(key) ?? [])].map(([text, series]) =>
        seriesLines(text, series, metrics[key].digits, Math.floor(nowMs / 1000)),
      );
      return { lines: lines.flat().join(''), series: lines.length, samples: lines.flat().length };
    },
  };
}

const hourSeconds = 3_600;

function seriesLines(text: string, series: Series, digits: number, nowSeconds: number): string[] {
  let total = 0n;
  return [...series]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([hour, growth]) => {
      const before = `${text} ${decimalText(total, digits)} ${hour + 1}\n`;
      total += growth;
      const endsAt = Math.max(hour + 2, Math.min(hour + hourSeconds, nowSeconds));
      return [before, `${text} ${decimalText(total, digits)} ${endsAt}\n`];
    });
}

function toSumRow(row: UsageFineRow): SumRow {
  const { project, provider, model, host, kind, costSource, user, billing } = row;
  const text = (value: string | null | undefined) => value ?? '';
  return {
    dimensions: {
      project: text(project),
      provider: text(provider),
      model: text(model),
      host: text(host),
      kind: text(kind),
      costSource: text(costSource),
      user: text(user),
      billing,
    },
    measures: {
      records: BigInt(row.records),
      inputTokens: BigInt(row.inputTokens),
      outputTokens: BigInt(row.outputTokens),
      cacheReadTokens: BigInt(row.cacheReadTokens),
      cacheWriteTokens: BigInt(row.cacheWriteTokens),
      reasoningTokens: BigInt(row.reasoningTokens),
      nanoUsd: BigInt(row.nanoUsd),
      unpricedRecords: BigInt(row.unpricedRecords),
      unreportedRecords: BigInt(row.unreportedRecords),
    },
  };
}
