/**
 * What a reader of metrics is shown of a reading of the counters. Pure.
 *
 * - A fold of the counters is an identity of its own: they may begin lower than the last one ended.
 *   So is a reading that lacks a series that was shown: names are formed otherwise than before.
 * - What there is when an identity, or a metric, is shown for the first time is shown in full.
 * - A series that appears later is zero first, until that has been seen: who asks a backend for the
 *   increase is not told of the first sample of a series.
 * - A metric has a limited number of series, in the order of their appearance. What more there is
 *   goes into one series for each combination of attributes with few values, so that sums by these
 *   stay exact.
 */
import type { CounterReading, MetricReading } from '@pi-ledger/contract/telemetry/counters';
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { type Division, divide, gaugeDivision, pointsShown } from './division.ts';
import { isOverflow, type KeyedMetric, keyed } from './series.ts';
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
  /** Of one metric, without those that take in what is hidden. */
  readonly seriesMax?: number;
}

export interface Exposed {
  /** Has to be stored before anything is shown. The same object: nothing has changed. */
  readonly state: ExporterState;
  readonly exposition: Exposition;
}

const seriesMaxDefault = 2_000;

/** `state`: what was shown so far; null: nothing. */
export function expose(
  state: ExporterState | null,
  reading: CounterReading,
  options: ExpositionOptions,
): Exposed {
  const { generation } = reading;
  const counted = reading.metrics.map(keyed);
  const known = state?.generation === generation && isContinued(state, counted) ? state : null;
  const shown = counted.map((each) => shownOf(each, known, options));
  const isSame = known !== null && shown.every(({ next }) => next === null);
  const metrics = new Map(known?.metrics);
  for (const { metric, next } of shown) if (next !== null) metrics.set(metric.name, next);
  const startMs = known?.startMs ?? Math.max(options.nowMs, (state?.startMs ?? 0) + 1);
  return {
    state: isSame ? known : { generation, startMs, metrics },
    exposition: expositionOf(startMs, shown),
  };
}

/**
 * What somebody else has shown; nothing becomes a series. Null: the counters have been folded anew
 * since.
 */
export function exposeAsShown(
  state: ExporterState,
  reading: CounterReading,
  seriesMax = seriesMaxDefault,
): Exposition | null {
  const counted = reading.metrics.map(keyed);
  if (state.generation !== reading.generation || !isContinued(state, counted)) return null;
  const shown = counted.flatMap((each) => {
    if (each.metric.kind === 'gauge') return [gaugeOf(each, seriesMax)];
    const series = state.metrics.get(each.metric.name);
    return series === undefined ? [] : [counterOf(each, divide(each, admittedIn(series)), series)];
  });
  return expositionOf(state.startMs, shown);
}

interface Shown extends MetricReading {
  readonly hiddenCount: number;
  /** Null: nothing to store. */
  readonly next: SeriesState | null;
}

function shownOf(
  counted: KeyedMetric,
  known: ExporterState | null,
  { zerosSinceMs, seriesMax = seriesMaxDefault }: ExpositionOptions,
): Shown {
  if (counted.metric.kind === 'gauge') return gaugeOf(counted, seriesMax);
  const series = known?.metrics.get(counted.metric.name);
  const division = divide(counted, admitting(series ?? emptySeries, seriesMax));
  const fresh = [...division.own.keys(), ...division.overflow.keys()].filter(
    (key) => series === undefined || !isIn(series, key),
  );
  if (series === undefined) {
    const next = { live: new Set(fresh), zeros: emptySeries.zeros };
    return { ...counterOf(counted, division, next), next };
  }
  if (fresh.length === 0) return counterOf(counted, division, series);
  const zeros = new Map([...series.zeros, ...fresh.map((key) => [key, zerosSinceMs] as const)]);
  const next = { live: series.live, zeros };
  return { ...counterOf(counted, division, next), next };
}

function counterOf({ metric }: KeyedMetric, division: Division, series: SeriesState): Shown {
  const points = pointsShown(division, series);
  return { metric, points, hiddenCount: division.hiddenCount, next: null };
}

function gaugeOf(counted: KeyedMetric, seriesMax: number): Shown {
  const { own, overflow, hiddenCount } = gaugeDivision(counted, seriesMax);
  const points = [...own.values(), ...overflow.values()];
  return { metric: counted.metric, points, hiddenCount, next: null };
}

/** New ones too, while there is room. Once something is hidden, it stays hidden. */
function admitting(series: SeriesState, seriesMax: number): (key: string) => boolean {
  const keys = [...series.live, ...series.zeros.keys()];
  let room = keys.some(isOverflow) ? 0 : seriesMax - keys.length;
  return (key) => isIn(series, key) || room-- > 0;
}

function admittedIn(series: SeriesState): (key: string) => boolean {
  return (key) => isIn(series, key);
}

function isIn({ live, zeros }: SeriesState, key: string): boolean {
  return live.has(key) || zeros.has(key);
}

function isContinued(state: ExporterState, counted: readonly KeyedMetric[]): boolean {
  const byName = new Map(counted.map((each) => [each.metric.name, each]));
  return [...state.metrics].every(([name, series]) => {
    const now = byName.get(name);
    if (now === undefined) return false;
    const { own, overflow } = divide(now, admittedIn(series));
    return [...series.live, ...series.zeros.keys()].every(
      (key) => own.has(key) || overflow.has(key),
    );
  });
}

function expositionOf(startMs: number, shown: readonly Shown[]): Exposition {
  const hidden = shown.reduce((sum, { hiddenCount }) => sum + hiddenCount, 0);
  return {
    startMs,
    metrics: [
      ...shown.map(({ metric, points }) => ({ metric, points })),
      { metric: metrics.hiddenSeries, points: [{ attributes: {}, amount: BigInt(hidden) }] },
    ],
  };
}
