/**
 * Finds the dimensions of the rollup `usage` that a session's spend counts under, for queries finer
 * than the rollup (minutes, single records). The document's timeline gives the same labels as the
 * fold. Pure.
 *
 * Contract: the state was decoded by a projection with the rules that it was folded with.
 */
import { minutesPerDay, minutesPerHour } from '../../projections/session/calendar.ts';
import { allLines } from '../../projections/session/cells.ts';
import type { SessionState } from '../../projections/session/document.ts';
import type { Labels } from '../../projections/session/labels.ts';
import type { LineName } from '../../projections/session/line-name.ts';
import { labelsOfCell } from '../../projections/session/notes/cell-labels.ts';
import { spendKey } from '../../projections/session/rows.ts';
import { namedAmounts } from '../../projections/spend-amounts.ts';
import type { SumRow } from '../../views/views.ts';

export interface SpentWhere {
  /** Since 1970, UTC. */
  readonly minute: number;
  readonly name: LineName;
}

/** The part of a session's document that labels depend on. */
export interface Spender {
  readonly id: string;
  readonly timeline: SessionState['timeline'];
  readonly spending: Pick<SessionState['spending'], 'cellMinutes'>;
}

/**
 * It is null when the project is ignored, so that the spend counts nowhere. Returns the previous
 * object again for the same dimensions.
 */
export type SpendLabeller = (where: SpentWhere) => SumRow['dimensions'] | null;

export function createSpendLabeller({
  id,
  timeline,
  spending: { cellMinutes },
}: Spender): SpendLabeller {
  let last: LabelledCell | null = null;
  return ({ minute, name }) => {
    const start = Math.floor(minute / cellMinutes) * cellMinutes;
    const labels = labelsOfCell(timeline, name, start, cellMinutes);
    if (labels.isIgnored) return null;
    const hour = Math.floor(start / minutesPerHour);
    const day = Math.floor((start + labels.utcOffsetMinutes) / minutesPerDay);
    const labelled = { labels, hour, day, name };
    if (last === null || !isSame(last, labelled))
      last = { ...labelled, dimensions: dimensionsOf(id, start, labelled) };
    return last.dimensions;
  };
}

interface CellLabels {
  readonly name: LineName;
  readonly labels: Labels;
  /** Since 1970. */
  readonly hour: number;
  readonly day: number;
}

interface LabelledCell extends CellLabels {
  readonly dimensions: SumRow['dimensions'];
}

export interface SpentCell extends SumRow {
  readonly minute: number;
}

/**
 * Cells of a minute, or of a quarter of an hour in sessions with very many. Skips cells where
 * nothing is left of a claim.
 */
export function* cellsOf(state: SessionState): Generator<SpentCell> {
  const dimensionsFor = createSpendLabeller(state);
  for (const line of allLines(state.spending)) {
    for (const { minute, amounts } of line.cells.values()) {
      const dimensions = dimensionsFor({ minute, name: line });
      if (dimensions === null || amounts.every((amount) => amount === 0)) continue;
      yield {
        minute,
        dimensions,
        measures: namedAmounts(amounts),
      };
    }
  }
}

function isSame(left: CellLabels, right: CellLabels): boolean {
  return (
    left.labels === right.labels &&
    left.hour === right.hour &&
    left.day === right.day &&
    left.name.model === right.name.model &&
    left.name.provider === right.name.provider &&
    left.name.kind === right.name.kind &&
    left.name.thinking === right.name.thinking &&
    left.name.costSource === right.name.costSource &&
    left.name.stopReason === right.name.stopReason
  );
}

/** Well-formed text, as in the store. */
function dimensionsOf(
  session: string,
  start: number,
  { labels, name }: CellLabels,
): SumRow['dimensions'] {
  const key = spendKey(session, start, name, labels);
  return Object.fromEntries(Object.entries(key).map(([each, text]) => [each, text.toWellFormed()]));
}
