/**
 * How much of plans' windows was used over days, as providers told it in the sessions of those who
 * use them. Your own limits (`quota` in `config.json`) are not in it.
 */

import type { QuotaHistory, QuotaHistoryRow } from '@pi-ledger/contract/answers';
import { dayStartMs } from '@pi-ledger/core/time/day';
import { dayMs } from '@pi-ledger/core/time/units';
import { LedgerError } from '../../errors.ts';
import { planWindow } from '../../projections/quota/statement.ts';
import type { StoredShares } from '../../projections/quota/window-shares.ts';
import { quota, sharesIn } from '../../projections/quota.ts';
import { compareText } from '../../projections/session/compare-text.ts';
import { sessions } from '../../projections/sessions.ts';
import type { Rememberable, Remembered } from '../views/remembered.ts';
import type { UsageViews } from '../views/usage-views.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { isInUse, type PlanWindow, planWindows, type Span, useOf } from './plan-windows.ts';
import { toldSessions } from './told-sessions.ts';
import { nameOf } from './told-windows.ts';

export interface QuotaHistoryQuestion {
  /** Days of UTC, both included. Default: the last 30 days. */
  readonly since?: string;
  readonly until?: string;
  /** A row for each user, too. */
  readonly byUser: boolean;
  readonly nowMs: number;
}

const daysDefault = 30;
const sessionsMax = 20_000;
/** Plans are to be used up to this share, so that the fullest hour does not reach the limit. */
const shareToUse = 0.9;

/** What it is made of. */
export const ofHistory = [sessions, quota];

export interface RememberedHistory extends Rememberable {
  readonly rows: readonly QuotaHistoryRow[];
  readonly isPartial: boolean;
}

export interface QuotaHistoryAsked extends Pick<UsageViews, 'views'> {
  readonly histories: Remembered<RememberedHistory>;
}

/** Throws `bad_parameter`. */
export async function quotaHistory(
  { views, histories }: QuotaHistoryAsked,
  visible: VisibleViews,
  question: QuotaHistoryQuestion,
): Promise<QuotaHistory> {
  const { byUser, nowMs } = question;
  const span = spanOf(question);
  const since = new Date(span.sinceMs).toISOString();
  const { answer, isCurrent } = await histories.once(
    JSON.stringify([visible.where, span, byUser]),
    async () => {
      const plans = await readPlans({ all: views, visible: visible.views }, span);
      const told = await views.count(quota, [{ column: 'toldAt', is: 'from', values: [since] }]);
      const groups = Map.groupBy(plans, (plan) => groupOf(plan, byUser)).values();
      const rows = [...groups].flatMap((group) => rowOf(group, span, byUser) ?? []);
      return {
        rows: rows.toSorted(compareRows),
        isPartial: told > sessionsMax,
        ...{ readAtMs: nowMs, rowsRead: Math.min(told, sessionsMax) },
      };
    },
  );
  return {
    since: since.slice(0, 10),
    until: new Date(span.untilMs - dayMs).toISOString().slice(0, 10),
    readAt: isCurrent ? null : new Date(answer.readAtMs).toISOString(),
    rows: [...answer.rows],
    isPartial: answer.isPartial,
  };
}

function spanOf({ since, until, nowMs }: QuotaHistoryQuestion): Span {
  const lastMs = startOf('until', until ?? new Date(nowMs).toISOString().slice(0, 10));
  const sinceMs =
    since === undefined ? lastMs - (daysDefault - 1) * dayMs : startOf('since', since);
  if (sinceMs > lastMs)
    throw new LedgerError('bad_parameter', {
      field: 'until',
      message: 'until: must not be before `since`.',
    });
  return { sinceMs, untilMs: lastMs + dayMs };
}

function startOf(field: string, day: string): number {
  const atMs = dayStartMs(day);
  if (atMs === null)
    throw new LedgerError('bad_parameter', {
      field,
      message: `${field}: must be a day (2026-11-22).`,
    });
  return atMs;
}

/** One user's plan and one kind of window of it. */
interface Plan {
  readonly user: string;
  readonly provider: string;
  readonly window: string;
  readonly windowMs: number;
  readonly windows: readonly PlanWindow[];
}

async function readPlans(
  views: Parameters<typeof toldSessions>[0],
  span: Span,
): Promise<readonly Plan[]> {
  const told = new Map<string, { user: string; all: StoredShares[] }>();
  for await (const { owner, body } of toldSessions(views, span.sinceMs, sessionsMax))
    for (const each of sharesIn(body)) {
      if (!mayBeOpen(each, span)) continue;
      const key = JSON.stringify([owner.user, each.provider, each.window]);
      const known = told.get(key) ?? { user: owner.user, all: [] };
      known.all.push(each);
      told.set(key, known);
    }
  return [...told.values()].flatMap(({ user, all }) => {
    const [first] = all;
    if (first === undefined) return [];
    const { provider, window } = first;
    const windowMs = lengthOf(window);
    return [{ user, provider, window, windowMs, windows: planWindows(all, windowMs) }];
  });
}

function mayBeOpen({ window, endMinute }: StoredShares, { sinceMs, untilMs }: Span): boolean {
  const endMs = endMinute * 60_000;
  return endMs > sinceMs && endMs - lengthOf(window) < untilMs;
}

function lengthOf(window: string): number {
  return planWindow(window)?.lengthMs ?? 0;
}

function groupOf({ user, provider, window }: Plan, byUser: boolean): string {
  return JSON.stringify([provider, window, byUser ? user : '']);
}

/** Returns null if no window was in use in this time. */
function rowOf(all: readonly Plan[], span: Span, byUser: boolean): QuotaHistoryRow | null {
  const [first] = all;
  const plans = all.filter(({ windows }) => windows.some((each) => isInUse(each, span)));
  const use = useOf(
    all.flatMap(({ windows }) => windows),
    span,
  );
  if (first === undefined || use === null) return null;
  const { user, provider, window, windowMs } = first;
  return {
    provider: provider === '' ? null : provider,
    window,
    name: nameOf(window),
    windowMs,
    user: !byUser || user === '' ? null : user,
    users: plans.length,
    windows: use.windows,
    usedWindows: use.used,
    fullWindows: use.full,
    peakWindows: use.peak,
    peakAt: new Date(use.peakAtMs).toISOString(),
    plansNeeded: Math.max(1, Math.ceil(use.peak / shareToUse)),
  };
}

function compareRows(left: QuotaHistoryRow, right: QuotaHistoryRow): number {
  return (
    compareText(left.provider ?? '', right.provider ?? '') ||
    left.windowMs - right.windowMs ||
    compareText(left.window, right.window) ||
    compareText(left.user ?? '', right.user ?? '')
  );
}
