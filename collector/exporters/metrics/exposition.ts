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
import type { MetricReading } from '@pi-ledger/contract/telemetry/counters';
import { type MetricDefinition, metrics } from '@pi-ledger/contract/telemetry/metrics';
import { type Division, divide, gaugeDivision, pointsShown } from './division.ts';
import { isOverflow, type KeyedMetric, type KeyedReading } from './series.ts';
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
  { generation, metrics: counted }: KeyedReading,
  { nowMs, zerosSinceMs, seriesMax = seriesMaxDefault }: ExpositionOptions,
): Exposed {
  const continued =
    state?.generation === generation
      ? continuation(state, counted, admittingUpTo(seriesMax))
      : null;
  const known = continued === null ? null : state;
  const divided =
    continued ?? counted.map((each) => divisionOf(each, null, admittingUpTo(seriesMax)));
  const shown = divided.map((each) => shownOf(each, zerosSinceMs));
  const isSame = known !== null && shown.every(({ next }) => next === null);
  const metrics = new Map(known?.metrics);
  for (const { metric, next } of shown) if (next !== null) metrics.set(metric.name, next);
  const startMs = known?.startMs ?? Math.max(nowMs, (state?.startMs ?? 0) + 1);
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
  reading: KeyedReading,
  seriesMax = seriesMaxDefault,
): Exposition | null {
  if (state.generation !== reading.generation) return null;
  const admitted = { seriesMax, admitting: (series: SeriesState) => admittedIn(series) };
  const divided = continuation(state, reading.metrics, admitted);
  if (divided === null) return null;
  const shown = divided.flatMap(({ metric, division, series }) =>
    series === null && metric.kind !== 'gauge' ? [] : [showing(metric, division, series)],
  );
  return expositionOf(state.startMs, shown);
}

interface Divided {
  readonly metric: MetricDefinition;
  readonly division: Division;
  /** What was shown of it so far; null: nothing, or it is a gauge. */
  readonly series: SeriesState | null;
}

interface Admission {
  readonly seriesMax: number;
  /** Which keys have a series of their own. */
  admitting(series: SeriesState): (key: string) => boolean;
}

function divisionOf(
  counted: KeyedMetric,
  series: SeriesState | null,
  { seriesMax, admitting }: Admission,
): Divided {
  const { metric } = counted;
  if (metric.kind === 'gauge')
    return { metric, division: gaugeDivision(counted, seriesMax), series: null };
  return { metric, division: divide(counted, admitting(series ?? emptySeries)), series };
}

/** Null: a series that was shown is gone. */
function continuation(
  state: ExporterState,
  counted: readonly KeyedMetric[],
  admission: Admission,
): readonly Divided[] | null {
  const divided = counted.map((each) =>
    divisionOf(each, state.metrics.get(each.metric.name) ?? null, admission),
  );
  const byName = new Map(divided.map((each) => [each.metric.name, each.division]));
  const isComplete = [...state.metrics].every(([name, { live, zeros }]) => {
    const division = byName.get(name);
    return (
      division !== undefined &&
      [...live, ...zeros.keys()].every((key) => division.own.has(key) || division.overflow.has(key))
    );
  });
  return isComplete ? divided : null;
}

interface Shown extends MetricReading {
  readonly hiddenCount: number;
}

function shownOf(
  { metric, division, series }: Divided,
  zerosSinceMs: number,
): Shown & { readonly next: SeriesState | null } {
  if (metric.kind === 'gauge') return { ...showing(metric, division, null), next: null };
  const fresh = [...division.own.keys(), ...division.overflow.keys()].filter(
    (key) => series === null || !isIn(series, key),
  );
  if (series !== null && fresh.length === 0)
    return { ...showing(metric, division, series), next: null };
  const next =
    series === null
      ? { live: new Set(fresh), zeros: emptySeries.zeros }
      : {
          live: series.live,
          zeros: new Map([...series.zeros, ...fresh.map((key) => [key, zerosSinceMs] as const)]),
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

/** New ones too, while there is room. Once something is hidden, it stays hidden. */
function admittingUpTo(seriesMax: number): Admission {
  return {
    seriesMax,
    admitting(series) {
      const keys = [...series.live, ...series.zeros.keys()];
      let room = keys.some(isOverflow) ? 0 : seriesMax - keys.length;
      return (key) => isIn(series, key) || room-- > 0;
    },
  };
}

function admittedIn(series: SeriesState): (key: string) => boolean {
  return (key) => isIn(series, key);
}

function isIn({ live, zeros }: SeriesState, key: string): boolean {
  return live.has(key) || zeros.has(key);
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
