/**
 * When the host compacts by itself: the window of the model that answers, less what the host
 * reserves. Rules of the hosts: docs/context.md.
 */
import type { LimitsFact, WindowFact } from '../../projections/context/facts.ts';
import { createByModel } from './by-model.ts';
import { latestAt } from './latest-at.ts';

export type HostFamily = 'pi' | 'omp';

export interface Threshold {
  readonly windowTokens: number;
  readonly reserveTokens: number;
  /** Above it the host compacts. Null: never by itself. */
  readonly thresholdTokens: number | null;
  /** `host` and `files`: by its settings; `default`: by the figures that it is shipped with. */
  readonly source: 'host' | 'files' | 'default';
}

export interface Asked {
  readonly time: string;
  readonly provider: string;
  readonly model: string;
}

interface Said {
  readonly windows: readonly WindowFact[];
  readonly limits: readonly LimitsFact[];
}

/**
 * Null where no live host told the window. The latest word before `time` counts; where all came
 * later, the first.
 */
export function createThresholds(
  { windows, limits }: Said,
  host: HostFamily,
): (asked: Asked) => Threshold | null {
  const sorted = windows.toSorted((left, right) => (left.firstAt < right.firstAt ? -1 : 1));
  const saidOf = createByModel(({ provider, model }) =>
    sorted.filter((each) => each.provider === provider && each.model === model),
  );
  // Limits are worked out for a window, and said with the first sample after a change: the answer
  // itself came just before.
  const byWindow = Map.groupBy(limits, ({ windowTokens }) => windowTokens);
  /** The same for nearly all of a session's answers. */
  let last: {
    readonly windowTokens: number;
    readonly told: LimitsFact | null;
    readonly threshold: Threshold;
  } | null = null;
  return ({ time, ...named }) => {
    const window = latestAt(saidOf(named), time, ({ firstAt }) => firstAt);
    if (window === null) return null;
    const { windowTokens } = window;
    const told = latestAt(byWindow.get(windowTokens) ?? [], time, (each) => each.time);
    if (last?.windowTokens !== windowTokens || last.told !== told)
      last = { windowTokens, told, threshold: thresholdOf(windowTokens, told, host) };
    return last.threshold;
  };
}

const reserveDefaultTokens = 16_384;
const ompReserveShare = 0.15;

function thresholdOf(windowTokens: number, told: LimitsFact | null, host: HostFamily): Threshold {
  const reserveTokens =
    told?.reserveTokens ?? (host === 'omp' ? ompReserve(windowTokens) : reserveDefaultTokens);
  const source = told?.source ?? 'default';
  if (told?.autoCompaction === false)
    return { windowTokens, reserveTokens, thresholdTokens: null, source };
  return {
    windowTokens,
    reserveTokens,
    thresholdTokens: told?.thresholdTokens ?? Math.max(0, windowTokens - reserveTokens),
    source,
  };
}

/**
 * The default, but at least 15 % of the window; only that where the default would leave next to
 * nothing.
 */
function ompReserve(windowTokens: number): number {
  const share = Math.max(1, Math.floor(windowTokens * ompReserveShare));
  const reserve = Math.max(share, reserveDefaultTokens);
  return reserve >= windowTokens - share ? share : reserve;
}
