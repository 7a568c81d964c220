/** Builds the API's answer about a session from its document and its spend. Pure. */
import type { Session, UsageFigures } from '@pi-ledger/contract/answers';
import type { SessionState } from '../../projections/session/document.ts';
import type { AttributionFacts } from '../../projections/session/timeline.ts';
import type { SumRow } from '../../views/views.ts';
import { addSum, noSums, type Sums, toFigures } from '../spend/figures.ts';
import { parentOf } from './forks.ts';

/** What the session's document does not contain. */
export interface SessionSurroundings {
  readonly rootSessionId: string;
  readonly figures: UsageFigures;
  /** What its parent's tools call its agent; null: nothing, or nobody knows. */
  readonly calledAgent: string | null;
  /** It has copies of another session's entries. */
  readonly isFork: boolean;
}

/** Shows the newest attribution. */
export function toSessionRow(
  state: SessionState,
  { rootSessionId, figures, calledAgent, isFork }: SessionSurroundings,
): Session {
  const facts = state.timeline.attributions.at(-1)?.facts;
  const parentSessionId = parentOf(state);
  const { prompts, turns, toolCalls, compactions } = state.counts;
  return {
    id: state.id,
    project: facts?.project.name ?? null,
    branch: facts?.project.branch ?? null,
    ...usersOf(facts),
    attribution: state.timeline.basis,
    machine: facts?.machine ?? null,
    host: facts?.host.name ?? null,
    hostVersion: facts?.host.version ?? null,
    mode: facts?.mode ?? null,
    agentKind: facts?.agent.kind ?? null,
    agentName: facts?.agent.name ?? calledAgent,
    parentSessionId,
    rootSessionId,
    relation: parentSessionId === null ? null : relationOf(facts, isFork),
    startedAt: state.started?.at ?? state.firstSeenAt,
    lastSeenAt: state.lastSeenAt,
    endedAt: state.ended?.at ?? null,
    prompts,
    turns,
    toolCalls,
    compactions,
    copies: [...state.copies.values()].map(({ copySessionId, ...copy }) => ({
      session: copySessionId,
      ...copy,
    })),
    ...figures,
  };
}

function relationOf(facts: AttributionFacts | undefined, isFork: boolean): Session['relation'] {
  if (facts?.agent.kind === 'subagent') return 'subagent';
  return isFork ? 'fork' : null;
}

function usersOf(facts: AttributionFacts | undefined): Pick<Session, 'user' | 'claimedUser'> {
  if (facts === undefined) return { user: null, claimedUser: null };
  return { user: facts.user, claimedUser: facts.claimedUser ?? facts.user };
}

/** Contract: `sums` are grouped by session and billing. A session without sums gets zeros. */
export function figuresBySession(sums: readonly SumRow[]): (id: string) => UsageFigures {
  const bySession = new Map<string, Sums>();
  for (const { dimensions, measures } of sums) {
    const { session = '', billing = '' } = dimensions;
    const own = bySession.get(session) ?? noSums();
    bySession.set(session, own);
    addSum(own, billing, measures);
  }
  return (id) => toFigures(bySession.get(id) ?? noSums());
}
