/** What a plan allows by the user's own word, where no provider tells: `quota` in config.json. */
import { hourMs } from '@pi-ledger/core/time/units';

export const quotaUnits = ['tokens', 'messages', 'list-price dollars'] as const;
export type QuotaUnit = (typeof quotaUnits)[number];

/**
 * `rolling`: the last hours at any moment. `first use`: a window begins with the first use after
 * the previous one has ended.
 */
export const windowStarts = ['rolling', 'first use'] as const;

export interface OwnLimit {
  /** As written: `5h`, `7d`, `week`. */
  readonly window: string;
  readonly windowMs: number;
  /** In `unit`, above zero. */
  readonly limit: number;
  readonly unit: QuotaUnit;
  readonly starts: (typeof windowStarts)[number];
}

/** By provider; each person has these limits. */
export type OwnLimits = Readonly<Record<string, readonly OwnLimit[]>>;

const unitsMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: hourMs,
  d: 24 * hourMs,
  w: 7 * 24 * hourMs,
};

/** The length of `5h`, `7d`, `2w`, `day`, `week`; null when it is no such window. */
export function windowMsOf(text: string): number | null {
  if (text === 'hour') return hourMs;
  if (text === 'day') return 24 * hourMs;
  if (text === 'week') return 7 * 24 * hourMs;
  const [, count, unit = ''] = /^(\d{1,4})([mhdw])$/.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  return count === undefined || unitMs === undefined ? null : Number(count) * unitMs;
}

/** `5 h`, `week`, `30 days`. */
export function windowName(windowMs: number): string {
  const hours = windowMs / hourMs;
  if (hours === 168) return 'week';
  if (hours === 24) return 'day';
  if (hours % 24 === 0) return `${hours / 24} days`;
  return Number.isInteger(hours) ? `${hours} h` : `${windowMs / 60_000} min`;
}
