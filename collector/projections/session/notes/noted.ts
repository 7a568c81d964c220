/**
 * What the notes of a session make of its spend. There may be a thousand notes, and as many cells
 * to look at with each of them: what is the same for many cells is found once.
 *
 * Guarantees: answers are those of `labelsAtSpot` and `headAt`, which are pure.
 */
import type { Labels } from '../labels.ts';
import { headAt } from './head-at.ts';
import { labelsAtSpot, type Spot, selectable } from './labels-at.ts';
import type { LateNote, Notes } from './notes.ts';
import { selects } from './select.ts';

export interface Noted {
  /** `base` has the labels of rules. */
  labelsAt(base: Labels, spot: Spot): string;
  /** The commit that was checked out; empty when none was seen on the branch. */
  headAt(branch: string, minute: number): string;
}

export function createNoted(notes: Notes): Noted {
  const texts = new Map<string, string>();
  let spans: Spans | null = null;
  let heads: ReadonlyMap<string | null, Notes['heads']> | null = null;
  return {
    labelsAt(base, spot) {
      spans ??= openSpans(notes);
      const key = `${notesFor(spans, base, spot)} ${base.labels}`;
      const known = texts.get(key);
      if (known !== undefined) return known;
      const text = labelsAtSpot(notes, base, spot);
      texts.set(key, text);
      return text;
    },
    headAt(branch, minute) {
      heads ??= Map.groupBy(notes.heads, ({ data }) => data.project.branch);
      return headAt(heads.get(branch) ?? [], minute);
    },
  };
}

interface Spans {
  /** In these minutes the agent said something for its own time, and later. */
  readonly minutes: readonly number[];
  /** Something was said of these records after the fact; each stands once. */
  readonly records: readonly LateNote['data']['records'][];
}

function openSpans({ agent, late }: Notes): Spans {
  const records = new Map(late.map(({ data }) => [JSON.stringify(data.records), data.records]));
  return {
    minutes: agent.flatMap(({ minute, data }) => (data.whole ? [] : [minute])),
    records: [...records.values()],
  };
}

/** Equal where the same notes apply. */
function notesFor({ minutes, records }: Spans, base: Labels, spot: Spot): string {
  const said = countUpTo(minutes, spot.lastMinute);
  if (records.length === 0) return String(said);
  const record = selectable(base, spot);
  return `${said} ${records.map((each) => (selects(each, record) ? 1 : 0)).join('')}`;
}

/** How many of these, which are sorted, are not later. */
function countUpTo(minutes: readonly number[], minute: number): number {
  let from = 0;
  let to = minutes.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((minutes[middle] as number) <= minute) from = middle + 1;
    else to = middle;
  }
  return from;
}
