/**
 * The user's own limits against this ledger's sum: for each person who used the provider, how much
 * of each window is gone. Where the provider itself tells of a window of that length, its word
 * counts instead.
 */

import { exactUsd } from '@pi-ledger/contract/amounts';
import type { QuotaWindow } from '@pi-ledger/contract/answers';
import { dayMs } from '@pi-ledger/core/time/units';
import { LedgerError } from '../../errors.ts';
import type { Condition } from '../../views/views.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { fullAtMs, rollingFullAtMs } from './forecast.ts';
import { type OwnLimit, type OwnLimits, windowName } from './limits.ts';
import { type OpenWindow, openWindow, type Uses, usedSince } from './open-window.ts';
import { amountIn, QuotaTooLarge, readUsedHours, sumOf, type Used } from './used-hours.ts';

export interface OwnWindowsQuery {
  readonly limits: OwnLimits;
  /** What the caller may see. */
  readonly where: readonly Condition[];
  readonly nowMs: number;
}

/** How far back a window from its first use is looked for. */
const lookBackDays = (windowMs: number): number => (windowMs > dayMs ? 366 : 31);

/** Throws `bad_request` when one hour has too many sessions to read. */
export async function ownWindows(
  asked: UsageViews,
  query: OwnWindowsQuery,
): Promise<readonly QuotaWindow[]> {
  const rows: QuotaWindow[] = [];
  for (const [provider, limits] of Object.entries(query.limits))
    rows.push(...(await providerWindows(asked, query, provider, limits).catch(explain)));
  return rows;
}

async function providerWindows(
  asked: UsageViews,
  { where, nowMs }: OwnWindowsQuery,
  provider: string,
  limits: readonly OwnLimit[],
): Promise<readonly QuotaWindow[]> {
  if (limits.length === 0) return [];
  const sinceMs = nowMs - Math.max(...limits.map(reachMs));
  const { byUser, minutesOf } = await readUsedHours(asked, where, {
    provider,
    sinceMs,
    nowMs,
  });
  const seesAll = where.every(({ column }) => column === 'user');
  const rows: QuotaWindow[] = [];
  for (const [user, hours] of byUser) {
    const uses: Uses = {
      knownFromMs: sinceMs,
      hours,
      minutesOf: (hourMs) => minutesOf(user, hourMs),
    };
    for (const limit of limits)
      rows.push(rowOf(await windowOf({ user, provider, limit, seesAll }, uses, nowMs), nowMs));
  }
  return rows;
}

function reachMs({ windowMs, starts }: OwnLimit): number {
  return starts === 'rolling' ? windowMs : lookBackDays(windowMs) * dayMs;
}

interface Whose {
  readonly user: string;
  readonly provider: string;
  readonly limit: OwnLimit;
  /** The caller sees all spend of this user. */
  readonly seesAll: boolean;
}

interface OwnWindow extends Whose {
  readonly open: OpenWindow;
  readonly used: Used;
  readonly hours: Uses['hours'];
}

/**
 * Records that nobody knows the billing of may have begun a window earlier, so they are those of
 * the last hours that are as long as a window.
 */
async function windowOf(whose: Whose, uses: Uses, nowMs: number): Promise<OwnWindow> {
  const { limit } = whose;
  const open = await openWindow(uses, limit, nowMs);
  const used = sumOf(open.startsAtMs === null ? [] : await usedSince(uses, open.startsAtMs));
  const { unknownBillingRecords } = sumOf(await usedSince(uses, nowMs - limit.windowMs));
  const isStartEstimated =
    open.isStartEstimated || (limit.starts === 'first use' && unknownBillingRecords > 0n);
  return {
    ...whose,
    open: { ...open, isStartEstimated },
    used: { ...used, unknownBillingRecords },
    hours: uses.hours,
  };
}

const nanoPerUsd = 1_000_000_000;

function rowOf(window: OwnWindow, nowMs: number): QuotaWindow {
  const { user, provider, limit, open, used, seesAll } = window;
  const { windowMs, unit, starts } = limit;
  const isMoney = unit === 'list-price dollars';
  const amount = amountIn(used, unit);
  const usedShare = Number(amount) / limitOf(limit);
  const { startsAtMs, isStartEstimated } = open;
  const endsAtMs = starts === 'rolling' || startsAtMs === null ? null : startsAtMs + windowMs;
  return {
    user: user === '' ? null : user,
    provider,
    window: limit.window,
    name: windowName(windowMs),
    windowMs,
    source: 'limit',
    toldAt: null,
    machine: null,
    session: null,
    status: null,
    starts,
    unit,
    used: isMoney ? exactUsd(amount) : amount.toString(),
    limit: String(limit.limit),
    usedShare,
    isAtLeast:
      !seesAll || used.unknownBillingRecords > 0n || (isMoney && used.unpricedRecords > 0n),
    startsAt: isoOf(startsAtMs),
    isStartEstimated,
    endsAt: isoOf(endsAtMs),
    fullAt: isoOf(
      starts === 'rolling'
        ? rollingFull(window, nowMs)
        : fullAtMs({ usedShare, startsAtMs, endsAtMs, atMs: nowMs }),
    ),
    unpricedRecords: Number(used.unpricedRecords),
    unreportedRecords: Number(used.unreportedRecords),
    unknownBillingRecords: Number(used.unknownBillingRecords),
    worth: null,
  };
}

function rollingFull({ limit, hours }: OwnWindow, nowMs: number): number | null {
  const { windowMs, unit } = limit;
  const amounts = hours.map((hour) => ({ atMs: hour.atMs, amount: amountIn(hour, unit) }));
  return rollingFullAtMs({ hours: amounts, limit: limitOf(limit), windowMs, nowMs });
}

/** In the unit that `amountIn` has: nano-dollars for dollars. */
function limitOf({ limit, unit }: OwnLimit): number {
  return unit === 'list-price dollars' ? limit * nanoPerUsd : limit;
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function explain(error: unknown): never {
  if (!(error instanceof QuotaTooLarge)) throw error;
  throw new LedgerError('bad_request', {
    message: 'Too many sessions have spend in the hour in which a window begins.',
    cause: error,
  });
}
