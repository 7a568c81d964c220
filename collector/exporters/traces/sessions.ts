/** Finds or begins what is remembered of an event's session, and says whose it is. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { SessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import { type Attributes, compact } from './draft.ts';
import { runAt, type SessionTrace, type TraceState, touch } from './state.ts';

/** It is then the session that was heard of last. */
export function openSession(
  state: TraceState,
  { subject, time }: LedgerEvent,
  facts: SessionFacts | null,
): SessionTrace {
  const { sessions } = state;
  const known = sessions.get(subject);
  const session = known ?? beginSession(sessions, subject, Date.parse(time), facts);
  if (known !== undefined) sessions.delete(subject);
  sessions.set(subject, session);
  touch(state, session);
  session.labels = labelsOf(subject, facts);
  session.parentSessionId = facts?.parentSessionId ?? null;
  return session;
}

function beginSession(
  sessions: TraceState['sessions'],
  id: string,
  timeMs: number,
  facts: SessionFacts | null,
): SessionTrace {
  const parentId = facts?.parentSessionId ?? null;
  const parentRun = parentId === null ? null : runAt(sessions.get(parentId), timeMs);
  const isSubagent = facts?.agentKind === 'subagent';
  return {
    id,
    arrivedMs: 0,
    labels: {},
    parentSessionId: null,
    under: isSubagent ? parentRun : null,
    forkOf: isSubagent ? null : parentRun,
    run: null,
    runs: [],
    sent: [],
    answers: [],
    timings: [],
    waiting: [],
  };
}

function labelsOf(id: string, facts: SessionFacts | null): Attributes {
  return compact({
    'gen_ai.conversation.id': id,
    'gen_ai.agent.name': facts?.agentName,
    'pi.project': facts?.project,
    'pi.host.name': facts?.hostName,
    'pi.host.version': facts?.hostVersion,
  });
}
