/** The rollup rows that a cell of a session's spending is counted under. */
import { hourText, localDayText, minutesPerDay, minutesPerHour } from './calendar.ts';
import type { Line, Rows, Spending } from './cells.ts';
import { labelsOfCell } from './notes/cell-labels.ts';
import type { Timeline } from './timeline.ts';

export function rowsOf(spending: Spending, line: Line, minute: number, timeline: Timeline): Rows {
  const labels = labelsOfCell(timeline, line, minute, spending.cellMinutes);
  const hour = Math.floor(minute / minutesPerHour);
  const day = Math.floor((minute + labels.utcOffsetMinutes) / minutesPerDay);
  const { rows } = line;
  if (rows !== null && rows.labels === labels && rows.hour === hour && rows.day === day)
    return rows;
  const { project, branch, user, machine, host, billing, agentKind, agent, head } = labels;
  const { provider, model, kind, thinking, costSource, stopReason } = line;
  const hourAndDay = [hourText(minute), localDayText(minute, labels.utcOffsetMinutes)];
  line.rows = {
    hour,
    day,
    labels,
    usage: [
      ...hourAndDay,
      spending.sessionId,
      project,
      branch,
      user,
      machine,
      host,
      provider,
      model,
      kind,
      billing,
      agentKind,
      agent,
      thinking,
      costSource,
      stopReason,
      labels.labels,
      head,
    ].map(wellFormed),
    totals: [project, provider, model, kind, billing, host, user, costSource].map(wellFormed),
  };
  return line.rows;
}

/** JSON can carry half a surrogate pair; a store's text cannot. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
