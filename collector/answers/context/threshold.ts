/**
 * When the host compacts automatically: the model's window minus the host's reserve. For the hosts'
 * rules, see docs/context.md.
 */
import type { LimitsFact, WindowFact } from '../../projections/context/facts.ts';
import { answerAbove } from './answer-node.ts';
import { createByModel } from './by-model.ts';
import type { EntryNode } from './entry-tree.ts';
import { latestAt } from './latest-at.ts';

export type HostFamily = 'pi' | 'omp';

export interface Threshold {
  readonly windowTokens: number;
  readonly reserveTokens: number;
  /** Above it, the host compacts. Null: never automatically. */
  readonly thresholdTokens: number | null;
  /** `host` and `files`: from its settings; `default`: from its built-in defaults. */
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
 * Returns null when no live host reported the window. The latest report before `time` counts, or
 * the first one when all are later.
 */
export function createThresholds(
  { windows, limits }: Said,
  host: HostFamily,
): (asked: Asked) => Threshold | null {
  const sorted = windows.toSorted((left, right) => (left.firstAt < right.firstAt ? -1 : 1));
  const saidOf = createByModel(({ provider, model }) =>
    sorted.filter((each) => each.provider === provider && each.model === model),
  );
  // Limits are computed for a window and reported with the first sample after a change, just after
  // the answer itself.
  const byWindow = Map.groupBy(limits, ({ windowTokens }) => windowTokens);
  /** Nearly all answers of a session share it. */
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

/** For the model of the answer above a node; null where that or its window is not known. */
export function createThresholdOf(
  thresholdAt: (asked: Asked) => Threshold | null,
): (node: EntryNode) => number | null {
  return (node) => {
    const answer = answerAbove(node)?.fact;
    if (answer === undefined) return null;
    return thresholdAt({ ...answer, time: node.fact.time })?.thresholdTokens ?? null;
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
 * The default, but at least 15% of the window; just these 15% where the default would leave next to
 * nothing.
 */
function ompReserve(windowTokens: number): number {
  const share = Math.max(1, Math.floor(windowTokens * ompReserveShare));
  const reserve = Math.max(share, reserveDefaultTokens);
  return reserve >= windowTokens - share ? share : reserve;
}
