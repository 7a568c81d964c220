/** What is said of a quota window. */

import type { QuotaWindow } from '@pi-ledger/contract/answers';
import { dayMs, hourMs } from '../../../../core/time/units.ts';

/** How much of it is over, 0 to 1; null: its begin or its end is not known. */
export function timeShare({ startsAt, endsAt }: QuotaWindow, nowMs: number): number | null {
  if (startsAt === null || endsAt === null) return null;
  const [from, to] = [Date.parse(startsAt), Date.parse(endsAt)];
  return to <= from ? null : Math.min(1, Math.max(0, (nowMs - from) / (to - from)));
}

/**
 * The rate so far, up to when it was told, in percent: of an hour, or of a day in a window longer
 * than a day. Null: not known, or too early to say.
 */
export function rateOf(
  window: QuotaWindow,
  nowMs: number,
): { percent: number; per: string } | null {
  const { usedShare, startsAt, toldAt, windowMs } = window;
  if (usedShare === null || startsAt === null) return null;
  const untilMs = toldAt === null ? nowMs : Date.parse(toldAt);
  const goneMs = untilMs - Date.parse(startsAt);
  if (goneMs < tooEarlyMs) return null;
  const isLong = windowMs !== null && windowMs > dayMs;
  const percent = (usedShare * 100 * (isLong ? dayMs : hourMs)) / goneMs;
  return { percent, per: isLong ? 'a day' : 'an hour' };
}

const tooEarlyMs = 5 * 60_000;

/** `good`: room is left. Null: nothing is known now. */
export function stateOf(
  window: QuotaWindow,
): { is: 'good' | 'warn' | 'bad'; words: string } | null {
  const { status, usedShare, fullAt } = window;
  if (status === 'rejected' || (usedShare !== null && usedShare >= 1))
    return { is: 'bad', words: 'full' };
  if (usedShare === null) return null;
  if (fullAt !== null) return { is: 'warn', words: 'full before it ends' };
  if (status === 'allowed_warning') return { is: 'warn', words: 'the provider warns' };
  return { is: 'good', words: 'ok' };
}

/** What the sum leaves out; null: nothing. */
export function leavesOut(
  of: Pick<QuotaWindow, 'unpricedRecords' | 'unreportedRecords' | 'unknownBillingRecords'>,
): string | null {
  const { unpricedRecords, unreportedRecords, unknownBillingRecords } = of;
  const parts = [
    [unpricedRecords, 'without a price'],
    [unreportedRecords, 'unreported'],
    [unknownBillingRecords, 'of unknown billing'],
  ].filter(([count]) => count !== 0);
  return parts.length === 0 ? null : `leaves out ${parts.map((each) => each.join(' ')).join(', ')}`;
}
