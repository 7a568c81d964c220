/** What subscriptions used of their windows: as providers tell, else by the user's own limits. */
import type { Quota, QuotaWindow } from '@pi-ledger/contract/answers';
import { compareText } from '../../projections/session/compare-text.ts';
import type { UsageViews } from '../views/usage-views.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import type { OwnLimits } from './limits.ts';
import { ownWindows } from './own-windows.ts';
import { toldWindows } from './told-windows.ts';
import { withWorth } from './worth.ts';

export interface QuotaQuestion {
  readonly limits: OwnLimits;
  readonly nowMs: number;
}

const rowsMax = 1_000;

export async function quotaWindows(
  asked: UsageViews,
  visible: VisibleViews,
  { limits, nowMs }: QuotaQuestion,
): Promise<Quota> {
  const told = await toldWindows({ all: asked.views, visible: visible.views }, nowMs);
  const own = await ownWindows(asked, { limits, where: visible.where, nowMs });
  const saidBy = new Map(told.map((row) => [keyOf(row), row]));
  const isTold = (row: QuotaWindow): boolean => saidBy.get(keyOf(row))?.usedShare != null;
  const counted = own.filter((row) => !isTold(row));
  const replaced = new Set(counted.map(keyOf));
  const rows = [...told.filter((row) => !replaced.has(keyOf(row))), ...counted];
  const shown = rows.toSorted(compareRows).slice(0, rowsMax);
  return {
    at: new Date(nowMs).toISOString(),
    rows: await withWorth(asked, { where: visible.where, nowMs }, shown),
    rowsLeftOut: Math.max(0, rows.length - rowsMax),
    limits: Object.keys(limits).toSorted(),
  };
}

/** `5 h` of a provider is `5 h` in the user's own words; a window of one model is another one. */
function keyOf({ user, provider, name }: QuotaWindow): string {
  return JSON.stringify([user, provider, name]);
}

function compareRows(left: QuotaWindow, right: QuotaWindow): number {
  return (
    compareText(left.user ?? '', right.user ?? '') ||
    compareText(left.provider ?? '', right.provider ?? '') ||
    (left.windowMs ?? Number.MAX_SAFE_INTEGER) - (right.windowMs ?? Number.MAX_SAFE_INTEGER) ||
    compareText(left.window, right.window) ||
    compareText(left.starts ?? '', right.starts ?? '')
  );
}
