/**
 * The two windows of a ChatGPT plan, as the Codex backend tells them in the headers of its answers:
 * a share in percent, a length in minutes, and an end. Pure.
 *
 *     x-codex-primary-used-percent: 42.5           0 to 100
 *     x-codex-primary-window-minutes: 300          0: there is no such window
 *     x-codex-primary-reset-at: 1795312800         or -reset-after-seconds: 9000
 */
import type { RateLimit } from '@pi-ledger/contract';
import { amountOf, resetOf } from './header-values.ts';

/** `headers`: by name in small letters. The window's name says its length: `codex-300m`. */
export function codexLimits(headers: ReadonlyMap<string, string>, nowMs: number): RateLimit[] {
  return ['primary', 'secondary'].flatMap((place) => {
    const amount = (name: string): number | null =>
      amountOf(headers.get(`x-codex-${place}-${name}`) ?? '');
    const percent = amount('used-percent');
    const minutes = amount('window-minutes');
    if (percent === null || minutes === 0) return [];
    const isLength = minutes !== null && Number.isInteger(minutes) && minutes <= minutesMax;
    const reset =
      headers.get(`x-codex-${place}-reset-at`) ||
      headers.get(`x-codex-${place}-reset-after-seconds`);
    return [
      {
        window: isLength ? `codex-${minutes}m` : `codex-${place}`,
        limit: null,
        remaining: null,
        utilization: percent / 100,
        resetAtMs: reset === undefined ? null : resetOf(reset, nowMs),
        status: null,
      },
    ];
  });
}

const minutesMax = 99_999;
