/**
 * What this process recorded of the newest local day that it saw: bridges the time between two
 * answers of the collector.
 */
import type { EventDraft } from '../../core/record/draft.ts';
import type { Billing } from '../attribution/attribution.ts';
import { addDraft } from './add-spend.ts';
import { noTotals, type SpentTotals } from './totals.ts';

export interface DayTotals {
  /** Contract: constant time. Spend of an earlier day is left out. */
  add(draft: EventDraft, billing: Billing): void;
  /** Returns what was spent on a day (`2026-11-22`); callers must not change it. */
  of(day: string): SpentTotals;
}

export function createDayTotals(): DayTotals {
  let newest = { day: '', totals: noTotals() };
  const begin = (day: string) => {
    if (day > newest.day) newest = { day, totals: noTotals() };
  };
  return {
    add(draft, billing) {
      if (!('spend' in draft.data)) return;
      const day = localDay(Date.parse(draft.time));
      begin(day);
      if (day === newest.day) addDraft(newest.totals, draft, billing);
    },
    of(day) {
      begin(day);
      return day === newest.day ? newest.totals.spent : noTotals().spent;
    },
  };
}

/** `2026-11-22`, in the zone of this process. */
export function localDay(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
