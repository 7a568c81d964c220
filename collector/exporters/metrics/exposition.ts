/**
 * What a reader of metrics is shown of a reading of the counters. Pure.
 *
 * - A fold of the counters is an identity of its own: they may begin lower than the last one ended.
 *   So is a reading that lacks a series that was shown: names are formed otherwise than before.
 * - What there is when an identity, or a metric, is shown for the first time is shown in full.
 * - A series that appears later is zero first, until that has been seen: who asks a backend for the
 *   increase is not told of the first sample of a series.
 * - A metric has a limited number of series, and each sender has (admission.ts). What more there is
 *   goes into one series for each combination of attributes with few values, so that sums by these
 *   stay exact.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MetricReading } from '@pi-ledger/contract/telemetry/counters';
import { type MetricDefinition, metrics } from '@pi-ledger/contract/telemetry/metrics';
import { type Admission, admission, admissionAsShown, type SeriesLimits } from './admission.ts';
import { type Division, divide, gaugeDivision, pointsShown } from './division.ts';
import type { KeyedMetric, KeyedReading } from './series.ts';
import { type ExporterState, emptySeries, type SeriesState } from './state.ts';

export interface Exposition {
  /** When the identity was first shown: no two of a store and a reader begin together. */
  readonly startMs: number;
  readonly metrics: readonly MetricReading[];
}

export interface ExpositionOptions {
  readonly nowMs: number;
  /** Since when series that are new are zero (`SeriesState.zeros`). */
  readonly zerosSinceMs: number;
  readonly limits: SeriesLimits;
}

export interface Exposed {
  /** Has to be stored before anything is shown. The same object: nothing has changed. */
  readonly state: ExporterState;
  readonly exposition: Exposition;
}

/** `state`: what was shown so far; null: nothing. */
export async function expose(
  state: ExporterState | null,
  { generation, metrics: counted }: KeyedReading,
  { nowMs, zerosSinceMs, limits }: ExpositionOptions,
): Promise<Exposed> {
  const admitting: Admitting = (metric, series) => admission(metric, series, limits);
  const asked = { limits, admitting };
  const continued =
    state?.generation === generation ? await continuation(state, counted, asked) : null;
  const known = continued === null ? null : state;
  const divided = continued ?? (await divideAll(counted, null, asked));
  const shown = divided.map((each) => showMetric(each, zerosSinceMs));
  const isSame = known !== null && shown.every(({ next }) => next === null);
  const metrics = new Map(known?.metrics);
  for (const { metric, next } of shown) if (next !== null) metrics.set(metric.name, next);
  const startMs = known?.startMs ?? Math.max(nowMs, (state?.startMs ?? 0) + 1);
  return {
    state: isSame ? known : { generation, startMs, metrics },
    exposition: toExposition(startMs, shown),
  };
}

/**
 * What somebody else has shown; nothing becomes a series. Null: the counters have been folded anew
 * since.
 */
export async function exposeAsShown(
  state: ExporterState,
  reading: KeyedReading,
  limits: SeriesLimits,
): Promise<Exposition | null> {
  if (state.generation !== reading.generation) return null;
  const admitting: Admitting = async (_, series) => admissionAsShown(series);
  const divided = await continuation(state, reading.metrics, { limits, admitting });
  if (divided === null) return null;
  const shown = divided.flatMap(({ metric, division, series }) =>
    series === null && metric.kind !== 'gauge' ? [] : [showing(metric, division, series)],
  );
  return toExposition(state.startMs, shown);
}

interface Divided {
  readonly metric: MetricDefinition;
  readonly division: Division;
  /** A gauge has none: everything of it is shown. */
  readonly admission: Admission | null;
  /** What was shown of it so far; null: nothing, or it is a gauge. */
  readonly series: SeriesState | null;
}

type Admitting = (metric: KeyedMetric, series: SeriesState) => Promise<Admission>;

interface Asked {
  readonly limits: SeriesLimits;
  readonly admitting: Admitting;
}

/** Others get the thread between two metrics. */
async function divideAll(
  counted: readonly KeyedMetric[],
  state: ExporterState | null,
  asked: Asked,
): Promise<readonly Divided[]> {
  const divided: Divided[] = [];
  for (const each of counted) {
    await nextTurn();
    divided.push(await divideMetric(each, state?.metrics.get(each.metric.name) ?? null, asked));
  }
  return divided;
}

async function divideMetric(
  counted: KeyedMetric,
  series: SeriesState | null,
  { limits, admitting }: Asked,
): Promise<Divided> {
  const { metric } = counted;
  if (metric.kind === 'gauge') {
    const division = await gaugeDivision(counted, limits.seriesMax);
    return { metric, division, admission: null, series: null };
  }
  const admitted = await admitting(counted, series ?? emptySeries);
  const division = await divide(counted, admitted.isAdmitted);
  return { metric, division, admission: admitted, series };
}

/** Resolves to null when a series that was shown is gone. */
async function continuation(
  state: ExporterState,
  counted: readonly KeyedMetric[],
  asked: Asked,
): Promise<readonly Divided[] | null> {
  const divided = await divideAll(counted, state, asked);
  const byName = new Map(divided.map((each) => [each.metric.name, each.division]));
  const isComplete = [...state.metrics].every(([name, { series }]) => {
    const division = byName.get(name);
    return (
      division !== undefined &&
      [...series.keys()].every((key) => division.own.has(key) || division.overflow.has(key))
    );
  });
  return isComplete ? divided : null;
}

interface Shown extends MetricReading {
  readonly hiddenCount: number;
}

function showMetric(
  { metric, division, admission: admitted, series }: Divided,
  zerosSinceMs: number,
): Shown & { readonly next: SeriesState | null } {
  if (admitted === null) return { ...showing(metric, division, null), next: null };
  const { kept, isFull } = admitted;
  const keys = [...division.own.keys(), ...division.overflow.keys()];
  const fresh = keys.filter((key) => series === null || !series.series.has(key));
  if (
    series !== null &&
    fresh.length === 0 &&
    isFull === series.isFull &&
    kept.size === series.kept.size
  )
    return { ...showing(metric, division, series), next: null };
  const since = series === null ? null : zerosSinceMs;
  const next: SeriesState = {
    series: new Map([...(series?.series ?? []), ...fresh.map((key) => [key, since] as const)]),
    ...{ kept, isFull },
  };
  return { ...showing(metric, division, next), next };
}

/** Without a state everything is shown: a gauge. */
function showing(metric: MetricDefinition, division: Division, series: SeriesState | null): Shown {
  const { own, overflow, hiddenCount } = division;
  const points =
    series === null ? [...own.values(), ...overflow.values()] : pointsShown(division, series);
  return { metric, points, hiddenCount };
}

function toExposition(startMs: number, shown: readonly Shown[]): Exposition {
  const hidden = shown.reduce((sum, { hiddenCount }) => sum + hiddenCount, 0);
  return {
    startMs,
    metrics: [
      ...shown.map(({ metric, points }) => ({ metric, points })),
      { metric: metrics.hiddenSeries, points: [{ attributes: {}, amount: BigInt(hidden) }] },
    ],
  };
}
