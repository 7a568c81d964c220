/**
 * What time it is by the log itself: retention and `seal` go by this, and by the collector's clock
 * only where that says less. A floor is for ever, so a clock that was wrong for a few days must
 * delete nothing.
 *
 * Contract: reads the views as they are. One that is behind says an earlier time, which is the safe
 * side. Rejects when the store fails.
 */
import { producers } from '../projections/producers.ts';
import { sessions } from '../projections/sessions.ts';
import { usage } from '../projections/usage.ts';
import type { ViewsReader } from '../views/views.ts';

export interface LogTime {
  /** Of the newest event, by its producer's clock; null: there is none. */
  readonly newestMs: number | null;
  /** When the newest batch came, by the collector's clock of then. */
  readonly receivedMs: number | null;
  /** Midnight of the day that so many newer days of work confirm; null: there are not as many. */
  readonly confirmedMs: number | null;
}

/** A clock that is wrong is noticed before somebody has worked by it on as many days. */
export const confirmingDays = 7;

/** As far ahead of the collector's clock as ingest takes events (contract/batch.ts). */
const aheadMsMax = 24 * 60 * 60 * 1000;

export async function readLogTime(views: ViewsReader): Promise<LogTime> {
  return {
    newestMs: dateOf(await newest(views, 'lastSeenAt')),
    receivedMs: numberOf(await newest(views, 'lastReceivedAtMs')),
    confirmedMs: await confirmedDay(views),
  };
}

/** Why the collector's clock and the log cannot both be right; null: they can. */
export function disagreementOf({ newestMs, receivedMs }: LogTime, nowMs: number): string | null {
  const latestMs = Math.max(newestMs ?? 0, receivedMs ?? 0);
  if (latestMs <= nowMs + aheadMsMax) return null;
  return `The clock says ${textOf(nowMs)}, and the ledger has events of ${textOf(latestMs)}: one of them is wrong.`;
}

/** Days with spend, wherever it was. */
async function confirmedDay(views: ViewsReader): Promise<number | null> {
  const rows = await views.sum(sessions, usage, { by: ['day'], where: [] });
  const days = rows.map(({ dimensions }) => dimensions.day ?? '').sort();
  return dateOf(days.at(-confirmingDays));
}

async function newest(views: ViewsReader, column: 'lastSeenAt' | 'lastReceivedAtMs') {
  const [found] = await views.find(producers, {
    where: [],
    orderBy: { column, descending: true },
    limit: 1,
    bodies: false,
  });
  return found?.columns[column];
}

function dateOf(value: unknown): number | null {
  const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : atMs;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function textOf(ms: number): string {
  return new Date(ms).toISOString();
}
