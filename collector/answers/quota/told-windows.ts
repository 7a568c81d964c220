/**
 * What providers said of their windows: the newest statement of each user, provider and window.
 *
 * - A statement belongs to the user of the session in whose responses it was made.
 * - After the window's end it says nothing any more: the next one has begun.
 * - Windows shorter than an hour are rate limits of an interface, no quota of a plan.
 */

import type { QuotaWindow } from '@pi-ledger/contract/answers';
import { hourMs } from '@pi-ledger/core/time/units';
import {
  planWindow,
  type Statement,
  shareOf,
  windowLengthMs,
} from '../../projections/quota/statement.ts';
import { statementsIn } from '../../projections/quota.ts';
import { fullAtMs } from './forecast.ts';
import { windowName } from './limits.ts';
import { type Owner, type ToldViews, toldSessions } from './told-sessions.ts';

/** Longer than the longest window that is usual, a week. */
const heardWithinMs = 8 * 24 * hourMs;
const sessionsMax = 10_000;

export async function toldWindows(
  views: ToldViews,
  nowMs: number,
): Promise<readonly QuotaWindow[]> {
  const newest = new Map<string, Told>();
  for await (const told of statements(views, nowMs)) {
    const { user, statement } = told;
    const key = JSON.stringify([user, statement.provider, statement.window]);
    const known = newest.get(key);
    if (known === undefined || statement.time > known.statement.time) newest.set(key, told);
  }
  return [...newest.values()].flatMap((told) => windowOf(told, nowMs));
}

interface Told extends Owner {
  readonly session: string;
  readonly statement: Statement;
}

/** Those of the newest sessions, up to `sessionsMax` of them. */
async function* statements(views: ToldViews, nowMs: number): AsyncGenerator<Told> {
  const sinceMs = nowMs - heardWithinMs;
  for await (const { session, owner, body } of toldSessions(views, sinceMs, sessionsMax))
    for (const statement of statementsIn(body)) yield { ...owner, session, statement };
}

function windowOf({ user, machine, session, statement }: Told, nowMs: number): QuotaWindow[] {
  const { provider, window, time, resetAtMs, status } = statement;
  const toldMs = Date.parse(time);
  const windowMs = windowLengthMs(window);
  const endsMs = resetAtMs ?? (windowMs === null ? null : toldMs + windowMs);
  if ((windowMs ?? (endsMs ?? toldMs) - toldMs) < hourMs) return [];
  const share = shareOf(statement);
  if (share === null && (status === null || status === 'allowed')) return [];
  const isCurrent = endsMs !== null && endsMs > nowMs;
  const startsMs = resetAtMs === null || windowMs === null ? null : resetAtMs - windowMs;
  const progress = { usedShare: share, startsAtMs: startsMs, endsAtMs: resetAtMs, atMs: toldMs };
  const said = isCurrent
    ? {
        status,
        ...amountsOf(statement),
        usedShare: share,
        startsAt: isoOf(startsMs),
        endsAt: isoOf(resetAtMs),
        fullAt: isoOf(fullAtMs(progress)),
      }
    : nothingSaid;
  return [
    {
      user: user === '' ? null : user,
      provider: provider === '' ? null : provider,
      window,
      name: nameOf(window),
      windowMs,
      source: 'provider',
      toldAt: time,
      machine: machine === '' ? null : machine,
      session,
      starts: null,
      unit: null,
      isAtLeast: false,
      isStartEstimated: false,
      unpricedRecords: 0,
      unreportedRecords: 0,
      unknownBillingRecords: 0,
      worth: null,
      ...said,
    },
  ];
}

const nothingSaid = {
  status: null,
  used: null,
  limit: null,
  usedShare: null,
  startsAt: null,
  endsAt: null,
  fullAt: null,
};

function amountsOf({ limit, remaining }: Statement): Pick<QuotaWindow, 'used' | 'limit'> {
  return {
    used: limit === null || remaining === null ? null : decimal(Math.max(0, limit - remaining)),
    limit: limit === null ? null : decimal(limit),
  };
}

/** Headers have at most 12 places. */
function decimal(amount: number): string {
  return amount.toFixed(12).replace(/\.?0+$/, '');
}

/** For people: `5 h`, `week, sonnet`, `requests-day`. */
export function nameOf(window: string): string {
  const plan = planWindow(window);
  if (plan === null) return window;
  const name = windowName(plan.lengthMs);
  return plan.rest === null ? name : `${name}, ${plan.rest}`;
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
