/** The rollup row that a cell is counted under: its day and labels, and the line's own name. */
import { rowKey } from '../projection.ts';
import { localDayText, minutesPerDay } from '../session/calendar.ts';
import type { Labels } from '../session/labels.ts';
import type { Timeline } from '../session/timeline.ts';
import { labelsAt } from '../session/timeline-labels.ts';
import type { CellMinutes, Line, Row, Table } from './cells.ts';
import { isBilled } from './rollups.ts';
import { totalsKey } from './totals.ts';

/** A cell counts under the attribution at its end. */
export function rowOf(
  table: Table,
  line: Line,
  minute: number,
  { timeline, cellMinutes }: { readonly timeline: Timeline; readonly cellMinutes: CellMinutes },
): Row {
  const labels = labelsOf(timeline, table, line, minute + cellMinutes - 1);
  const day = Math.floor((minute + labels.utcOffsetMinutes) / minutesPerDay);
  const { row } = line;
  if (row !== null && row.labels === labels && row.day === day) return row;
  const dayText = localDayText(minute, labels.utcOffsetMinutes);
  const { project, user, host, agent, billing } = labels;
  const named = {
    ...line.named,
    ...{ day: dayText, project, user, host, agent, billing },
  };
  const key = rowKey(table.rollup, named);
  line.row = { labels, day, key, totals: totalsKey(table.rollup, named) };
  return line.row;
}

export function labelsOf(timeline: Timeline, { rollup }: Table, line: Line, end: number): Labels {
  return labelsAt(timeline, end, isBilled(rollup) ? (line.named.provider ?? '') : '');
}

export function areSameRows(left: Row, right: Row): boolean {
  return (
    left.key === right.key ||
    (left.labels.isIgnored === right.labels.isIgnored &&
      left.key.every((value, index) => value === right.key[index]))
  );
}
