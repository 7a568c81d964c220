/** What a cell of spend is counted under: its attribution, its labels and its commit. Pure. */
import type { Labels } from '../labels.ts';
import type { Timeline } from '../timeline.ts';
import { labelsAt } from '../timeline-labels.ts';
import { headAt } from './head-at.ts';
import { labelsAtSpot, type Spot } from './labels-at.ts';
import { noNotes } from './notes.ts';

type CellName = Pick<Spot, 'provider' | 'model'>;

/** One object for equal labels of one attribution. */
export function labelsOfCell(
  timeline: Timeline,
  { provider, model }: CellName,
  minute: number,
  cellMinutes: number,
): Labels {
  const lastMinute = minute + cellMinutes - 1;
  const base = labelsAt(timeline, lastMinute, provider);
  const { notes, noted } = timeline;
  if (notes === noNotes) return base;
  const labels = labelsAtSpot(notes, base, { provider, model, minute, lastMinute });
  const head = headAt(notes.heads, base.branch, minute);
  if (labels === base.labels && head === '') return base;
  const known = noted.get(base) ?? new Map<string, Labels>();
  noted.set(base, known);
  const key = `${head} ${labels}`;
  const found = known.get(key) ?? { ...base, labels, head };
  known.set(key, found);
  return found;
}
