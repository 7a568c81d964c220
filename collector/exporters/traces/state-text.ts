/**
 * The state as the text that is stored with the checkpoint, and what comes of such a text. A
 * session that did not change since is not written anew. Lists without names: thousands of
 * sessions have to fit.
 */
import { type Attributes, compact } from './draft.ts';
import { createTraceState, type SessionText, type SessionTrace, type TraceState } from './state.ts';

type WrittenSession = readonly [
  ...[id: string, arrivedMs: number, labels: Attributes, parentSessionId: string | null],
  ...[under: SessionTrace['under'] | 0, forkOf: SessionTrace['forkOf'] | 0],
  run: SessionTrace['run'] | 0,
  runs: readonly (readonly [prompt: string, startMs: number])[],
  sent: string,
  answers: readonly (readonly [entryId: string, spanId: string])[],
  timings: SessionTrace['timings'],
  waiting: SessionTrace['waiting'],
];

interface Written {
  readonly version: typeof version;
  readonly minuteMs: number;
  readonly sessions: readonly WrittenSession[];
}

const version = 2;

export function encodeTraceState(state: TraceState): string {
  state.isChanged = false;
  const sessions = [...state.sessions.values()].map((session) => sessionText(state, session).text);
  return `{"version":${version},"minuteMs":${state.minuteMs},"sessions":[${sessions.join(',')}]}`;
}

/** As it is written, or will be. */
export function sessionText({ texts }: TraceState, session: SessionTrace): SessionText {
  const known = texts.get(session);
  if (known !== undefined) return known;
  const text = JSON.stringify(written(session));
  const made = { text, bytes: Buffer.byteLength(text) };
  texts.set(session, made);
  return made;
}

/** `position`: of the checkpoint. Nothing is remembered where another version wrote. */
export function decodeTraceState(text: string | null, position: number): TraceState {
  const state = createTraceState(position);
  if (text === null) return state;
  const found: Partial<Written> = JSON.parse(text);
  if (found.version !== version) return state;
  state.minuteMs = found.minuteMs ?? 0;
  for (const each of found.sessions ?? []) {
    const session = readSession(each);
    state.sessions.set(session.id, session);
  }
  return state;
}

const hashLength = 6;

function written(session: SessionTrace): WrittenSession {
  const { id, arrivedMs, labels, parentSessionId, under, forkOf, run } = session;
  const { 'gen_ai.conversation.id': _, ...others } = labels;
  return [
    ...([id, arrivedMs, others, parentSessionId] as const),
    ...([under ?? 0, forkOf ?? 0, run ?? 0] as const),
    session.runs.map(({ prompt, startMs }) => [prompt, startMs] as const),
    session.sent.join(''),
    session.answers.map(({ entryId, spanId }) => [entryId, spanId] as const),
    session.timings,
    session.waiting,
  ];
}

function readSession(from: WrittenSession): SessionTrace {
  const [id, arrivedMs, labels, parentSessionId, under, forkOf, run, runs, sent, ...rest] = from;
  const [answers, timings, waiting] = rest;
  return {
    ...{ id, arrivedMs, parentSessionId },
    labels: compact({ 'gen_ai.conversation.id': id, ...labels }),
    under: under === 0 ? null : under,
    forkOf: forkOf === 0 ? null : forkOf,
    run: run === 0 ? null : run,
    runs: runs.map(([prompt, startMs]) => ({ prompt, startMs })),
    sent: Array.from({ length: sent.length / hashLength }, (_, index) =>
      sent.slice(index * hashLength, (index + 1) * hashLength),
    ),
    answers: answers.map(([entryId, spanId]) => ({ entryId, spanId })),
    timings: [...timings],
    waiting: [...waiting],
  };
}
