/**
 * When a host compacts automatically, computed from its settings as the host does it. Pure.
 *
 * pi: above the window minus the reserve. omp: above a fixed number of tokens, else a percentage of
 * the window, else the window minus the reserve, which is at least 15 % of the window. A default
 * reserve that would leave next to nothing of a small window is replaced by these 15 %.
 */
import type { EventData } from '@pi-ledger/contract';

/** The settings that decide when a host compacts. Null: not set. */
export interface CompactionSettings {
  readonly enabled: boolean;
  readonly reserveTokens: number | null;
  readonly keepRecentTokens: number | null;
  /** omp. */
  readonly thresholdTokens: number | null;
  /** omp; 0 to 100. */
  readonly thresholdPercent: number | null;
  readonly source: NonNullable<EventData<'pi.context.sampled.v1'>['limitsSource']>;
}

export interface Limits {
  readonly autoCompaction: boolean;
  /** It is null if the host never compacts automatically, or the window is unknown. */
  readonly thresholdTokens: number | null;
  readonly reserveTokens: number;
  readonly keepRecentTokens: number;
  readonly limitsSource: CompactionSettings['source'];
}

/** Nothing is set. */
export const defaultSettings: CompactionSettings = {
  enabled: true,
  reserveTokens: null,
  keepRecentTokens: null,
  thresholdTokens: null,
  thresholdPercent: null,
  source: 'default',
};

export function compactionLimits(
  host: 'pi' | 'omp',
  settings: CompactionSettings,
  windowTokens: number | null,
): Limits {
  const reserveTokens =
    host === 'omp'
      ? ompReserve(settings.reserveTokens, windowTokens)
      : (settings.reserveTokens ?? defaultReserveTokens);
  const window = settings.enabled ? windowTokens : null;
  return {
    autoCompaction: settings.enabled,
    thresholdTokens:
      window === null
        ? null
        : host === 'omp'
          ? ompThreshold(settings, window, reserveTokens)
          : Math.max(0, window - reserveTokens),
    reserveTokens,
    keepRecentTokens: settings.keepRecentTokens ?? defaultKeepRecentTokens,
    limitsSource: settings.source,
  };
}

/** The same in all three hosts. */
const defaultReserveTokens = 16_384;
const defaultKeepRecentTokens = 20_000;
const ompReserveFraction = 0.15;

function ompReserve(chosenTokens: number | null, windowTokens: number | null): number {
  const reserveTokens = chosenTokens ?? defaultReserveTokens;
  if (windowTokens === null) return reserveTokens;
  const proportional = Math.floor(windowTokens * ompReserveFraction);
  const effective = Math.max(proportional, reserveTokens);
  const leavesNothing =
    effective >= windowTokens ||
    (chosenTokens === null && effective >= windowTokens - Math.max(1, proportional));
  return leavesNothing ? Math.max(1, proportional) : effective;
}

function ompThreshold(
  { thresholdTokens, thresholdPercent }: CompactionSettings,
  windowTokens: number,
  reserveTokens: number,
): number {
  if (thresholdTokens !== null && thresholdTokens > 0)
    return Math.max(0, Math.min(windowTokens - 1, Math.max(1, thresholdTokens)));
  if (thresholdPercent === null || thresholdPercent <= 0)
    return Math.max(0, Math.min(windowTokens - 1, windowTokens - reserveTokens));
  return Math.floor(windowTokens * (Math.min(99, Math.max(1, thresholdPercent)) / 100));
}
