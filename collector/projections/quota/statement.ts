/** What a provider said of one of its limits, and what follows from that alone. Pure. */

import type { EventData } from '@pi-ledger/contract';
import { dayMs, hourMs, minuteMs } from '@pi-ledger/core/time/units';

export type StatedLimit = EventData<'pi.response.received.v1'>['limits'][number];

export interface Statement extends StatedLimit {
  /** When the response came. */
  readonly time: string;
  /** Empty when unknown. */
  readonly provider: string;
}

/** 1: full. Null: not said. */
export function shareOf({ utilization, limit, remaining }: StatedLimit): number | null {
  if (utilization !== null) return utilization;
  return limit === null || remaining === null || limit === 0
    ? null
    : Math.max(0, limit - remaining) / limit;
}

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs };
const named: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
};

/** The length and the rest of `unified-5h`, `unified-7d_sonnet`, `codex-300m`; null: no plan's. */
export function planWindow(window: string): { lengthMs: number; rest: string | null } | null {
  const [, length, rest = null] =
    /^(?:unified|codex)-(\d{1,5}[mhd])(?:[-_](.+))?$/.exec(window) ?? [];
  if (length === undefined) return null;
  return { lengthMs: Number(length.slice(0, -1)) * (unitMs[length.at(-1) ?? ''] ?? 0), rest };
}

/** `unified-5h`, `requests-day`: the length stands in the name. Null: it does not. */
export function windowLengthMs(window: string): number | null {
  return planWindow(window)?.lengthMs ?? named[window.split(/[-_]/).at(-1) ?? ''] ?? null;
}
