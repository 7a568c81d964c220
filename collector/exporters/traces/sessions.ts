/** Finds or begins what is remembered of an event's session. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { FactsAt, SessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import { promptTraceId, runSpanId } from '../span-ids.ts';
import { compact, type SpanAttributes, type SpanPlace } from './draft.ts';
import { runAt, type SessionTrace, type TraceState, touch } from './state.ts';

/** It is then the session that was heard of last. */
export function openSession(
  state: TraceState,
  event: LedgerEvent,
  facts: SessionFacts | null,
): SessionTrace {
  const { subject } = event;
  const { sessions } = state;
  const session = sessions.get(subject) ?? openTrace(subject);
  sessions.delete(subject);
  sessions.set(subject, session);
  touch(state, session);
  if (!session.isPlaced) place(session, { sessions, event, facts });
  return session;
}

/** After the first span it changes nothing. */
export function hearOrigin(
  state: TraceState,
  { subject, data }: LedgerEvent<'pi.session.attributed.v1'>,
  arrivedMs: number,
): void {
  const session = state.sessions.get(subject) ?? { ...openTrace(subject), arrivedMs };
  if (session.isPlaced) return;
  session.origin = { parentSessionId: data.parentSessionId, agentKind: data.agent.kind };
  state.sessions.set(subject, session);
  touch(state, session);
}

function openTrace(id: string): SessionTrace {
  return {
    id,
    arrivedMs: 0,
    origin: null,
    isPlaced: false,
    under: null,
    worksFor: null,
    forkOf: null,
    run: null,
    runs: [],
    sent: [],
    answers: [],
    timings: [],
    waiting: [],
  };
}

/**
 * By what the log has said up to here, not by what is known today: whoever reads the same log puts
 * the session's spans into the same traces.
 */
function place(
  session: SessionTrace,
  {
    sessions,
    event: { time },
    facts,
  }: Pick<TraceState, 'sessions'> & { event: LedgerEvent; facts: SessionFacts | null },
): void {
  session.isPlaced = true;
  const today = facts?.at(time) ?? null;
  const { parentSessionId = null, agentKind = 'main' } = session.origin ?? today ?? {};
  const parentRun = runAt(sessions.get(parentSessionId ?? ''), Date.parse(time));
  if (agentKind === 'subagent') session.under = parentRun;
  else session.forkOf = parentRun;
  if (session.under === null && today?.agentKind === 'subagent')
    session.worksFor = laterRun(today, facts?.parentPromptAt(time) ?? null);
  session.origin = null;
}

function laterRun({ parentSessionId }: FactsAt, prompt: string | null): SpanPlace | null {
  if (parentSessionId === null || prompt === null) return null;
  return {
    traceId: promptTraceId(parentSessionId, prompt),
    spanId: runSpanId(parentSessionId, prompt),
  };
}

export function labelAttributes(id: string, facts: FactsAt | null): SpanAttributes {
  return compact({
    'gen_ai.conversation.id': id,
    'gen_ai.agent.name': facts?.agentName,
    'pi.project': facts?.project,
    'pi.host.name': facts?.hostName,
    'pi.host.version': facts?.hostVersion,
  });
}
