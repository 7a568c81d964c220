/**
 * Which labels spend has. After the fact wins over the agent, the agent over a rule; within one of
 * these the newest event with the key. A null takes back what the same one said before: then what
 * is below shows again. Pure.
 */
import { localDayText } from '../calendar.ts';
import type { Labels } from '../labels.ts';
import { labelsIn, labelText } from './label-text.ts';
import type { AgentNote, LateNote, Notes } from './notes.ts';
import { type Selectable, selects } from './select.ts';

/** A cell of spend, as far as labels and commits depend on it. */
export interface Spot {
  readonly provider: string;
  readonly model: string;
  /** First and last minute of the cell. */
  readonly minute: number;
  readonly lastMinute: number;
}

/** `base` has the labels of rules. */
export function labelsAtSpot({ agent, late }: Notes, base: Labels, spot: Spot): string {
  // What was said for the whole session holds until something newer is said for its own time.
  const byAgent = changesBy(agent, ({ minute, data }) => data.whole || minute <= spot.lastMinute);
  const record = late.length === 0 ? null : selectable(base, spot);
  const byLate = changesBy(late, ({ data }) => record !== null && selects(data.records, record));
  if (byAgent.size + byLate.size === 0) return base.labels;
  return labelText(new Map([...labelsIn(base.labels), ...byAgent, ...byLate]));
}

/** As labels after the fact select it. */
export function selectable(base: Labels, spot: Spot): Selectable {
  return { ...base, ...spot, day: localDayText(spot.minute, base.utcOffsetMinutes) };
}

/**
 * The newest of each key, without those that take back. Each note is looked at once: there may be a
 * thousand, with as many keys.
 */
function changesBy<Noted extends AgentNote | LateNote>(
  notes: readonly Noted[],
  applies: (note: Noted) => boolean,
): ReadonlyMap<string, string> {
  const newest = new Map<string, string | null>();
  for (const note of notes.toReversed()) {
    if (!applies(note)) continue;
    for (const [key, value] of Object.entries(note.data.labels))
      if (!newest.has(key)) newest.set(key, value);
  }
  const said = new Map<string, string>();
  for (const [key, value] of newest) if (value !== null) said.set(key, value);
  return said;
}
