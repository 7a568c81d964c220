/** What a cell of a session's spending is counted under, and its rows in the rollups. */
import type { SpendKey } from '@pi-ledger/contract/spend-shape';
import { rowKey } from '../projection.ts';
import { totals } from '../totals.ts';
import { usage } from '../usage.ts';
import { hourText, localDayText, minutesPerDay, minutesPerHour } from './calendar.ts';
import type { CellRows, Spending, SpendLine } from './cells.ts';
import type { Labels } from './labels.ts';
import type { LineName } from './line-name.ts';
import { labelsOfCell } from './notes/cell-labels.ts';
import type { Timeline } from './timeline.ts';

export function toRows(
  spending: Spending,
  line: SpendLine,
  minute: number,
  timeline: Timeline,
): CellRows {
  const labels = labelsOfCell(timeline, line, minute, spending.cellMinutes);
  const hour = Math.floor(minute / minutesPerHour);
  const day = Math.floor((minute + labels.utcOffsetMinutes) / minutesPerDay);
  const { rows } = line;
  if (rows !== null && rows.labels === labels && rows.hour === hour && rows.day === day)
    return rows;
  const key = spendKey(spending.sessionId, minute, line, labels);
  line.rows = { hour, day, labels, usage: rowKey(usage, key), totals: rowKey(totals, key) };
  return line.rows;
}

/** `minute` is in the cell's hour and day. */
export function spendKey(
  session: string,
  minute: number,
  { provider, model, kind, thinking, costSource, stopReason }: LineName,
  { utcOffsetMinutes, isIgnored: _, ...labels }: Labels,
): SpendKey {
  return {
    hour: hourText(minute),
    day: localDayText(minute, utcOffsetMinutes),
    session,
    ...labels,
    ...{ provider, model, kind, thinking, costSource, stopReason },
  };
}
