/** The rollup row that a cell is counted under: its day and labels, and the line's own name. */
import { localDayText, minutesPerDay } from '../session/calendar.ts';
import type { Labels } from '../session/labels.ts';
import type { Timeline } from '../session/timeline.ts';
import { labelsAt } from '../session/timeline-labels.ts';
import type { CellMinutes, Line, Row, Table } from './cells.ts';
import { isBilled, runs } from './rollups.ts';
import { totalsRowOf } from './totals.ts';

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
  const dimensions = dimensionsOf(table, labels, dayText, line.name);
  line.row = { labels, day, dimensions, totals: totalsRowOf(table, dimensions) };
  return line.row;
}

export function labelsOf(timeline: Timeline, { rollup }: Table, line: Line, end: number): Labels {
  return labelsAt(timeline, end, isBilled(rollup) ? (line.name[0] ?? '') : '');
}

export function areSameRows(left: Row, right: Row): boolean {
  return (
    left.dimensions === right.dimensions ||
    (left.labels.isIgnored === right.labels.isIgnored &&
      left.dimensions.every((value, index) => value === right.dimensions[index]))
  );
}

function dimensionsOf(
  { rollup }: Table,
  { project, user, host, agent, billing }: Labels,
  day: string,
  name: readonly string[],
): readonly string[] {
  const common = [day, project, user, host];
  if (isBilled(rollup)) return [...common, ...name, billing].map(wellFormed);
  return [...common, ...(rollup === runs ? [agent] : []), ...name].map(wellFormed);
}

/** JSON can carry half a surrogate pair; a store's text cannot. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
