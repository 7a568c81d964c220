/**
 * The time according to the log. Retention and `seal` use it, and the collector's clock only when
 * that is earlier. A floor is permanent, so a clock that was wrong for a few days must delete
 * nothing.
 *
 * Contract: reads the views as they are. A view that is behind gives an earlier time, which is
 * safe; one that has nothing yet gives none. Rejects when the store fails.
 */
import { producers } from '../projections/producers.ts';
import { sessions } from '../projections/sessions.ts';
import { usage } from '../projections/usage.ts';
import type { ViewsReader } from '../views/views.ts';

export interface LogTime {
  /** Time of the newest event by its producer's clock; null when there is none. */
  readonly newestMs: number | null;
  /** Time of the newest batch by the collector's clock at that time. */
  readonly receivedMs: number | null;
  /** Midnight of the day confirmed by enough newer days of work; null when there are not enough. */
  readonly confirmedMs: number | null;
}

/** A wrong clock is noticed before somebody has worked with it on as many days. */
export const confirmingDays = 7;

/** How far ahead of the collector's clock ingest accepts events (contract/batch.ts). */
const aheadMsMax = 24 * 60 * 60 * 1000;

export async function readLogTime(views: ViewsReader): Promise<LogTime> {
  return {
    newestMs: readDate(await newest(views, 'lastSeenAt')),
    receivedMs: readNumber(await newest(views, 'lastReceivedAtMs')),
    confirmedMs: await confirmedDay(views),
  };
}

/** Why the collector's clock and the log cannot both be right; null when they can. */
export function findDisagreement({ newestMs, receivedMs }: LogTime, nowMs: number): string | null {
  const latestMs = Math.max(newestMs ?? 0, receivedMs ?? 0);
  if (latestMs <= nowMs + aheadMsMax) return null;
  return (
    `The clock says ${toText(nowMs)}, but the ledger has events of ${toText(latestMs)}: ` +
    'correct whichever is wrong.'
  );
}

/** Days with any spend. */
async function confirmedDay(views: ViewsReader): Promise<number | null> {
  const rows = await views.sum(sessions, usage, { by: ['day'], where: [] });
  const days = rows.map(({ dimensions }) => dimensions.day ?? '').sort();
  return readDate(days.at(-confirmingDays));
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

function readDate(value: unknown): number | null {
  const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : atMs;
}

function readNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function toText(ms: number): string {
  return new Date(ms).toISOString();
}
