/** What subscriptions used of their windows, as a provider tells it with its responses. */

import type { EventData } from '@pi-ledger/contract';
import { hourMs } from '@pi-ledger/core/time/units';

type RateLimit = EventData<'pi.response.received.v1'>['limits'][number];

export interface DemoQuota {
  /** Takes the spend in, at list price. */
  use(who: string, atMs: number, nanoUsd: number): void;
  /** The limits that the provider tells at this time. */
  told(who: string, atMs: number): RateLimit[];
}

interface Window {
  readonly name: string;
  readonly ms: number;
  readonly limitNanoUsd: number;
  /** How long the one that is open now has been open. */
  readonly begunHours: number;
}

const windows: readonly Window[] = [
  { name: 'unified-5h', ms: 5 * hourMs, limitNanoUsd: 6e9, begunHours: 2 },
  { name: 'unified-7d', ms: 168 * hourMs, limitNanoUsd: 36e9, begunHours: 74 },
];
const usedMost = 0.99;
const warnsFrom = 0.8;

/**
 * `nowMs`: somewhere in the middle of a window of each length, so that whatever was told in the
 * last two hours has not ended. Null: windows begin where it happens to be.
 */
export function createQuota(nowMs: number | null = null): DemoQuota {
  /** By user and window. */
  const used = new Map<string, number>();
  const windowStart = ({ ms, begunHours }: Window, atMs: number): number => {
    const shiftMs = nowMs === null ? 0 : (toHour(nowMs) - begunHours * hourMs) % ms;
    return Math.floor((atMs - shiftMs) / ms) * ms + shiftMs;
  };
  const windowKey = (who: string, window: Window, atMs: number): string =>
    `${who}/${window.name}/${windowStart(window, atMs)}`;
  return {
    use(who, atMs, nanoUsd) {
      for (const window of windows) {
        const key = windowKey(who, window, atMs);
        used.set(key, (used.get(key) ?? 0) + nanoUsd);
      }
    },
    told: (who, atMs) =>
      windows.map((window) => {
        const { name, ms, limitNanoUsd } = window;
        const share = (used.get(windowKey(who, window, atMs)) ?? 0) / limitNanoUsd;
        const utilization = Math.min(usedMost, Math.round(share * 100) / 100);
        return {
          window: name,
          limit: null,
          remaining: null,
          utilization,
          resetAtMs: windowStart(window, atMs) + ms,
          status: utilization >= warnsFrom ? ('allowed_warning' as const) : ('allowed' as const),
        };
      }),
  };
}

function toHour(atMs: number): number {
  return Math.floor(atMs / hourMs) * hourMs;
}
