/** What the routes of models, tools and runs share: parameters, and pages of their lists. */
import { Type } from 'typebox';
import { badCursor, type CursorPart, cutPage, fitPage } from '../../http/cursor.ts';
import {
  filterParameters,
  formatParameter,
  limitDefault,
  pageParameters,
} from '../../http/parameters.ts';
import { inTurns } from '../../timers/in-turns.ts';

const { project, user, host, provider, model } = filterParameters;
const Day = Type.Optional(
  Type.String({
    maxLength: 40,
    description: 'A day (`2026-11-22`), inclusive, in the zone of whoever worked.',
  }),
);
export const timingParameters = {
  project,
  user,
  host,
  since: Day,
  until: Day,
  ...pageParameters,
  ...formatParameter,
};
export const ModelsQuery = Type.Object(
  { ...timingParameters, provider, model },
  { additionalProperties: false },
);

/** Rows are made in turns with others. */
export async function pageOf<Line, Row>(
  lines: readonly Line[],
  limit: number | undefined,
  cursorOf: (line: Line) => string,
  rowOf: (line: Line) => Row,
) {
  const cut = cutPage(lines, limit ?? limitDefault, cursorOf);
  const rows: Row[] = [];
  await inTurns(cut.rows, (line) => rows.push(rowOf(line)));
  return fitPage({ rows, places: cut.rows, next: cut.next }, cursorOf);
}

/** Reads a position in a list that is sorted by a count and then by name. */
export function countPosition(parts: readonly CursorPart[] | null) {
  if (parts === null) return null;
  const [count, name] = parts;
  if (typeof count !== 'number' || typeof name !== 'string') throw badCursor();
  return { count, name };
}
