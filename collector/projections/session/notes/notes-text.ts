/** Stored form of a session's notes; absent in documents of sessions without any. */
import {
  type AgentNote,
  type HeadNote,
  type LateNote,
  makeNote,
  type Notes,
  noNotes,
  type SessionNote,
} from './notes.ts';

export interface NotesBody {
  readonly labels?: readonly BodyNote<AgentNote['data']>[];
  readonly lateLabels?: readonly BodyNote<LateNote['data']>[];
  readonly heads?: readonly BodyNote<HeadNote['data']>[];
}

type BodyNote<Data> = readonly [time: string, data: Data];

export function encodeNotes({ agent, late, heads }: Notes): NotesBody {
  return {
    ...(agent.length === 0 ? {} : { labels: encoded(agent) }),
    ...(late.length === 0 ? {} : { lateLabels: encoded(late) }),
    ...(heads.length === 0 ? {} : { heads: encoded(heads) }),
  };
}

export function decodeNotes({ labels = [], lateLabels = [], heads = [] }: NotesBody): Notes {
  if (labels.length + lateLabels.length + heads.length === 0) return noNotes;
  return { agent: decoded(labels), late: decoded(lateLabels), heads: decoded(heads) };
}

function encoded<Data>(notes: readonly SessionNote<Data>[]): readonly BodyNote<Data>[] {
  return notes.map(({ time, data }) => [time, data]);
}

function decoded<Data>(notes: readonly BodyNote<Data>[]): readonly SessionNote<Data>[] {
  return notes.map(([time, data]) => makeNote(time, data));
}
