/** Which spend a change of a session's notes may count elsewhere: mostly a small part. Pure. */
import type { Labels } from '../labels.ts';
import { type Spot, selectable } from './labels-at.ts';
import type { Notes } from './notes.ts';
import { selects } from './select.ts';

/** `base` has the labels of rules. */
export type Concerned = (base: Labels, spot: Spot) => boolean;

/** By notes that came, and those that had to leave for them. */
export function concerned(before: Notes, after: Notes): Concerned {
  if (before.heads !== after.heads) return () => true;
  const agent = difference(before.agent, after.agent);
  const late = difference(before.late, after.late);
  const isForAll = agent.some(({ data }) => data.whole);
  const fromMinute = Math.min(...agent.map(({ minute }) => minute));
  return (base, spot) => {
    if (isForAll || spot.lastMinute >= fromMinute) return true;
    if (late.length === 0) return false;
    const record = selectable(base, spot);
    return late.some(({ data }) => selects(data.records, record));
  };
}

/** What only one of them has. */
function difference<Note>(before: readonly Note[], after: readonly Note[]): readonly Note[] {
  if (before === after) return [];
  const [were, are] = [new Set(before), new Set(after)];
  return [...before.filter((note) => !are.has(note)), ...after.filter((note) => !were.has(note))];
}
