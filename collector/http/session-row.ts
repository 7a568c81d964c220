/** A session as the API shows it: what its document says, and what it spent. Pure. */
import { Type } from 'typebox';
import type { SessionState } from '../projections/session/document.ts';
import type { AttributionFacts, Timeline } from '../projections/session/timeline.ts';
import type { SumRow } from '../views/views.ts';
import { type Figures, figureNames, makeReport, noFigures } from './usage-report.ts';

export interface SessionRow extends Figures {
  readonly id: string;
  readonly project: string | null;
  readonly branch: string | null;
  readonly user: string | null;
  readonly claimedUser: string | null;
  readonly attribution: Timeline['basis'];
  readonly machine: string | null;
  readonly host: string | null;
  readonly hostVersion: string | null;
  readonly mode: string | null;
  readonly agentKind: string | null;
  readonly agentName: string | null;
  readonly parentSessionId: string | null;
  readonly rootSessionId: string;
  readonly relation: 'fork' | 'subagent' | null;
  readonly startedAt: string;
  readonly lastSeenAt: string;
  readonly endedAt: string | null;
  readonly prompts: number;
  readonly turns: number;
  readonly toolCalls: number;
  readonly compactions: number;
  readonly copies: readonly SessionCopy[];
}

interface SessionCopy {
  readonly session: string;
  readonly entries: number;
  readonly spendEntries: number;
  readonly ownerAssumed: boolean;
}

const text = Type.Union([Type.String(), Type.Null()]);

export const sessionProperties = {
  id: Type.String(),
  project: text,
  branch: text,
  user: Type.Union([Type.String(), Type.Null()], {
    description: 'Whom the token of its producer is bound to; else who the producer says.',
  }),
  claimedUser: Type.Union([Type.String(), Type.Null()], { description: 'Who the producer says.' }),
  attribution: Type.Union([Type.Literal('live'), Type.Literal('import'), Type.Literal('inferred'), Type.Null()], {
    description:
      'What tells whose it was: the session itself, an import of its file, or, where that is gone, the header of a file with copies of its entries.',
  }),
  machine: text,
  host: text,
  hostVersion: text,
  mode: text,
  agentKind: text,
  agentName: text,
  parentSessionId: text,
  rootSessionId: Type.String({ description: 'Of its tree: the oldest ancestor whose id is known; its own, when it has no parent.' }),
  relation: Type.Union([Type.Literal('fork'), Type.Literal('subagent'), Type.Null()], { description: 'To its parent; null without one.' }),
  startedAt: Type.String(),
  lastSeenAt: Type.String({ description: 'Time of its newest event.' }),
  endedAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When its host last shut it down; seen later than that, it was resumed.',
  }),
  prompts: Type.Integer(),
  turns: Type.Integer(),
  toolCalls: Type.Integer(),
  compactions: Type.Integer(),
  copies: Type.Array(
    Type.Object({
      session: Type.String(),
      entries: Type.Integer(),
      spendEntries: Type.Integer({ description: 'Of these, those that carry spend.' }),
      ownerAssumed: Type.Boolean({ description: "An ancestor's file is gone, and this session is the oldest ancestor still known." }),
    }),
    { description: "Other sessions whose files hold copies of this session's entries. They are counted once, in this one." },
  ),
};

export const sessionColumns = [...Object.keys(sessionProperties), ...figureNames];

/** What the document does not say. */
export interface SessionSurroundings {
  readonly rootSessionId: string;
  readonly figures: Figures;
}

/** Attribution is the newest one. */
export function toSessionRow(state: SessionState, { rootSessionId, figures }: SessionSurroundings): SessionRow {
  const facts = state.timeline.attributions.at(-1)?.facts;
  const parentSessionId = state.started?.parentSessionId ?? facts?.parentSessionId ?? null;
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
    agentName: facts?.agent.name ?? null,
    parentSessionId,
    rootSessionId,
    relation: parentSessionId === null ? null : facts?.agent.kind === 'subagent' ? 'subagent' : 'fork',
    startedAt: state.started?.at ?? state.firstSeenAt,
    lastSeenAt: state.lastSeenAt,
    endedAt: state.ended?.at ?? null,
    prompts,
    turns,
    toolCalls,
    compactions,
    copies: [...state.copies.values()].map(({ copySessionId, ...copy }) => ({ session: copySessionId, ...copy })),
    ...figures,
  };
}

function usersOf(facts: AttributionFacts | undefined): Pick<SessionRow, 'user' | 'claimedUser'> {
  if (facts === undefined) return { user: null, claimedUser: null };
  return { user: facts.user, claimedUser: facts.claimedUser ?? facts.user };
}

/** Contract: `sums` are grouped by session and billing. A session without spend has no entry. */
export function figuresBySession(sums: readonly SumRow[]): (id: string) => Figures {
  const figures = new Map(makeReport('session', sums).rows.map((row) => [row.label, row.figures]));
  return (id) => figures.get(id) ?? noFigures();
}
