/**
 * What was said of one session beside its attributions: labels by the agent, labels after the fact,
 * and which commits were checked out. Immutable; each list is sorted by time and content, holds
 * what is equal once, and keeps the newest within its bounds. So it is a function of the set of
 * events.
 */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { toMinute } from '../calendar.ts';
import { compareText } from '../compare-text.ts';

export interface Notes {
  readonly agent: readonly AgentNote[];
  readonly late: readonly LateNote[];
  readonly heads: readonly HeadNote[];
}

export type AgentNote = SessionNote<EventData<'pi.session.labelled.v1'>>;
export type LateNote = SessionNote<EventData<'pi.records.labelled.v1'>>;
export type HeadNote = SessionNote<EventData<'pi.head.observed.v1'>>;

export type NoteType = 'pi.session.labelled.v1' | 'pi.records.labelled.v1' | 'pi.head.observed.v1';

export interface SessionNote<Data> {
  readonly time: string;
  readonly minute: number;
  readonly data: Data;
  /** The data as canonical JSON. */
  readonly text: string;
}

export const noNotes: Notes = { agent: [], late: [], heads: [] };

/** The notes with this one added; the same object when nothing changes. */
export function withNote(notes: Notes, event: LedgerEvent<NoteType>): Notes {
  switch (event.type) {
    case 'pi.session.labelled.v1': {
      const { labels, whole } = event.data;
      const agent = added(notes.agent, makeNote(event.time, { labels: sorted(labels), whole }));
      return agent === notes.agent ? notes : { ...notes, agent };
    }
    case 'pi.records.labelled.v1': {
      const late = added(notes.late, makeNote(event.time, copyLate(event.data)));
      return late === notes.late ? notes : { ...notes, late };
    }
    case 'pi.head.observed.v1': {
      const heads = added(notes.heads, makeNote(event.time, copyHead(event.data)));
      return heads === notes.heads ? notes : { ...notes, heads };
    }
  }
}

/** Whether it is the newest that was said after the fact with one of its keys. */
export function isSaidLast({ late }: Notes, data: LateNote['data']): boolean {
  const last = late.findLast((note) =>
    Object.keys(data.labels).some((key) => Object.hasOwn(note.data.labels, key)),
  );
  return last?.text === JSON.stringify(copyLate(data));
}

export function makeNote<Data>(time: string, data: Data): SessionNote<Data> {
  return { time, minute: toMinute(time), data, text: JSON.stringify(data) };
}

/** Each list's bounds; an ordinary note has a hundred characters. */
const notesMax = 1_000;
const noteCharsMax = 200_000;

function added<Data>(
  notes: readonly SessionNote<Data>[],
  note: SessionNote<Data>,
): readonly SessionNote<Data>[] {
  const at = notes.findLastIndex((each) => compare(each, note) < 0) + 1;
  const next = notes[at];
  if (next !== undefined && compare(next, note) === 0) return notes;
  let chars = 0;
  const all = notes.toSpliced(at, 0, note);
  const tooMany = all.findLastIndex(({ text }) => {
    chars += text.length;
    return chars > noteCharsMax;
  });
  const first = Math.max(tooMany + 1, all.length - notesMax);
  return at < first ? notes : all.slice(first);
}

function compare(left: SessionNote<unknown>, right: SessionNote<unknown>): number {
  return compareText(left.time, right.time) || compareText(left.text, right.text);
}

/** Field by field, so that a producer's key order and unknown fields do not affect equality. */
function copyLate({ labels, records }: LateNote['data']): LateNote['data'] {
  const { since, until, project, branch, user, machine, host, provider, model } = records;
  return {
    labels: sorted(labels),
    records: { since, until, project, branch, user, machine, host, provider, model },
  };
}

function copyHead(data: HeadNote['data']): HeadNote['data'] {
  const { project, cwd, machine, commit, afterTurn } = data;
  const { name, remote, branch } = project;
  return { project: { name, remote, branch }, cwd, machine, commit, afterTurn };
}

function sorted<Value>(labels: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(labels).toSorted(([left], [right]) => compareText(left, right)),
  );
}
