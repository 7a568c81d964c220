/**
 * The state as the text that is stored with the checkpoint, and what comes of such a text. A
 * session that did not change since is not written anew. Lists without names: thousands of
 * sessions have to fit.
 */
import type { SpanAttributeName } from '@pi-ledger/contract/telemetry/spans';
import { compact, type Value } from './draft.ts';
import {
  createTraceState,
  type OpenRun,
  type SessionText,
  type SessionTrace,
  type TraceState,
} from './state.ts';

type WrittenSession = readonly [
  ...[id: string, arrivedMs: number, isPlaced: 0 | 1, origin: SessionTrace['origin'] | 0],
  ...[under: SessionTrace['under'] | 0, worksFor: SessionTrace['worksFor'] | 0],
  forkOf: SessionTrace['forkOf'] | 0,
  run: WrittenRun | 0,
  runs: readonly (readonly [prompt: string, startMs: number])[],
  sent: string,
  answers: readonly (readonly [entryId: string, spanId: string])[],
  timings: SessionTrace['timings'],
  waiting: SessionTrace['waiting'],
];

type WrittenRun = readonly [
  ...[prompt: string, openedAt: string, labels: readonly (Value | 0)[], parent: string | 0],
  ...[startMs: number, endMs: number, isCompacted: 0 | 1, events: OpenRun['events']],
];

interface Written {
  readonly version: typeof version;
  readonly minuteMs: number;
  readonly sessions: readonly WrittenSession[];
}

const version = 4;

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
  const { id, arrivedMs, isPlaced, origin, under, worksFor, forkOf, run } = session;
  return [
    ...([id, arrivedMs, isPlaced ? 1 : 0, origin ?? 0] as const),
    ...([under ?? 0, worksFor ?? 0, forkOf ?? 0, run === null ? 0 : writtenRun(run)] as const),
    session.runs.map(({ prompt, startMs }) => [prompt, startMs] as const),
    session.sent.join(''),
    session.answers.map(({ entryId, spanId }) => [entryId, spanId] as const),
    session.timings,
    session.waiting,
  ];
}

/** A run is written with these labels, beside what is written of its session. */
const labelNames = [
  'gen_ai.agent.name',
  'pi.project',
  'pi.host.name',
  'pi.host.version',
] as const satisfies readonly SpanAttributeName[];

function writtenRun(run: OpenRun): WrittenRun {
  const { prompt, openedAt, labels, parentSessionId, startMs, endMs, isCompacted, events } = run;
  return [
    ...([prompt, openedAt, labelNames.map((name) => labels[name] ?? 0)] as const),
    ...([parentSessionId ?? 0, startMs, endMs, isCompacted ? 1 : 0, events] as const),
  ];
}

function readRun(
  [prompt, openedAt, labels, parent, startMs, endMs, isCompacted, events]: WrittenRun,
  sessionId: string,
): OpenRun {
  const named = labelNames.map((name, index) => [name, labels[index] || null] as const);
  return {
    ...{ prompt, openedAt, startMs, endMs },
    labels: compact({ 'gen_ai.conversation.id': sessionId, ...Object.fromEntries(named) }),
    parentSessionId: parent || null,
    isCompacted: isCompacted === 1,
    events: [...events],
  };
}

function readSession(from: WrittenSession): SessionTrace {
  const [id, arrivedMs, isPlaced, origin, under, worksFor, forkOf, run, ...lists] = from;
  const [runs, sent, answers, timings, waiting] = lists;
  return {
    ...{ id, arrivedMs },
    isPlaced: isPlaced === 1,
    origin: origin || null,
    under: under || null,
    worksFor: worksFor || null,
    forkOf: forkOf || null,
    run: run === 0 ? null : readRun(run, id),
    runs: runs.map(([prompt, startMs]) => ({ prompt, startMs })),
    sent: Array.from({ length: sent.length / hashLength }, (_, index) =>
      sent.slice(index * hashLength, (index + 1) * hashLength),
    ),
    answers: answers.map(([entryId, spanId]) => ({ entryId, spanId })),
    timings: [...timings],
    waiting: [...waiting],
  };
}
