/** What a cell of spend is counted under: its attribution, its labels and its commit. Pure. */
import type { Labels } from '../labels.ts';
import type { Timeline } from '../timeline.ts';
import { labelsAt } from '../timeline-labels.ts';
import type { Spot } from './labels-at.ts';
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
  const { notes, noted, changed } = timeline;
  if (notes === noNotes) return base;
  const labels = noted.labelsAt(base, { provider, model, minute, lastMinute });
  const head = noted.headAt(base.branch, minute);
  if (labels === base.labels && head === '') return base;
  const byHead = changed.get(base) ?? new Map<string, Map<string, Labels>>();
  changed.set(base, byHead);
  const byText = byHead.get(head) ?? new Map<string, Labels>();
  byHead.set(head, byText);
  const found = byText.get(labels) ?? { ...base, labels, head };
  byText.set(labels, found);
  return found;
}
