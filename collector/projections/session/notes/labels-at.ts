/**
 * Which labels spend has. After the fact wins over the agent, the agent over a rule; within one of
 * these the newest event with the key. A null takes back what the same one said before: then what
 * is below shows again. Pure.
 */
import { localDayText } from '../calendar.ts';
import type { Labels } from '../labels.ts';
import { labelsIn, labelText } from './label-text.ts';
import type { AgentNote, LateNote, Notes } from './notes.ts';
import { selects } from './select.ts';

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
  const byAgent = changesBy(agent, (key) => agentLabelAt(agent, key, spot.lastMinute));
  const { utcOffsetMinutes } = base;
  const day = late.length === 0 ? '' : localDayText(spot.minute, utcOffsetMinutes);
  const record = { ...base, ...spot, day };
  const after = late.filter(({ data }) => selects(data.records, record));
  const byLate = changesBy(after, (key) => newest(after, key)?.data.labels[key] ?? null);
  if (byAgent.size + byLate.size === 0) return base.labels;
  return labelText(new Map([...labelsIn(base.labels), ...byAgent, ...byLate]));
}

type LabelNote = AgentNote | LateNote;

function changesBy(
  notes: readonly LabelNote[],
  labelOf: (key: string) => string | null,
): ReadonlyMap<string, string> {
  const keys = new Set(notes.flatMap(({ data }) => Object.keys(data.labels)));
  return new Map(
    [...keys].flatMap((key): [string, string][] => {
      const value = labelOf(key);
      return value === null ? [] : [[key, value]];
    }),
  );
}

/** What was said for the whole session holds until something newer is said for its own time. */
function agentLabelAt(notes: Notes['agent'], key: string, lastMinute: number): string | null {
  const note = notes.findLast(
    ({ minute, data }) => Object.hasOwn(data.labels, key) && (data.whole || minute <= lastMinute),
  );
  return note?.data.labels[key] ?? null;
}

function newest<Noted extends LabelNote>(notes: readonly Noted[], key: string): Noted | undefined {
  return notes.findLast(({ data }) => Object.hasOwn(data.labels, key));
}
