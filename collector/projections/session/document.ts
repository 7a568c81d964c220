/** The document of one session, in memory and as JSON. Equal sets of events give equal text. */
import type { TimelineRules } from '../rules.ts';
import { readAmounts, writeAmounts } from '../spend-amounts.ts';
import { type Agents, type AgentsBody, decodeAgents, encodeAgents } from './agents.ts';
import { type Askers, type AskersBody, decodeAskers, encodeAskers } from './askers.ts';
import {
  addCell,
  type CellMinutes,
  createSpending,
  type Family,
  lineOf,
  type SpendCell,
  type Spending,
  type SpendLine,
} from './cells.ts';
import type { ClaimsBody } from './claims-body.ts';
import { type Claims, createClaims } from './claims-state.ts';
import { decodeClaims, encodeClaims } from './claims-text.ts';
import { compareText } from './compare-text.ts';
import type { Copy } from './copies.ts';
import { compareFamilies, compareVariants, type FamilyName, noVariant } from './line-name.ts';
import { decodeStreamed, encodeStreamed, type Streamed, type StreamedBody } from './streamed.ts';
import { decodeSwitches, encodeSwitches, type Switch, type Switches } from './switches.ts';
import { makeTimeline, type Timeline } from './timeline.ts';
import { decodeTimeline, encodeTimeline, type TimelineBody } from './timeline-text.ts';
import { type BodyUnpriced, decodeUnpriced, encodeUnpriced } from './unpriced-text.ts';

export interface SessionState {
  readonly id: string;
  /** By the events' own times. */
  firstSeenAt: string;
  lastSeenAt: string;
  started: Started | null;
  ended: SessionEnded | null;
  readonly counts: Counts;
  readonly tools: Map<string, ToolCount>;
  timeline: Timeline;
  readonly spending: Spending;
  readonly claims: Claims;
  readonly askers: Askers;
  /** Sessions with copies of its entries, by their id. */
  readonly copies: Map<string, Copy>;
  readonly switches: Switches;
  readonly streamed: Streamed;
  readonly agents: Agents;
}

/** From the header of the session's file. */
export interface Started {
  readonly at: string;
  readonly cwd: string | null;
  readonly parentSessionId: string | null;
}

/** The host's last shutdown of the session; later events mean that it was resumed. */
export interface SessionEnded {
  readonly at: string;
  readonly reason: string | null;
}

interface Counts {
  prompts: number;
  /** Answers and attempts. */
  turns: number;
  /** Failed or aborted attempts whose spend the host does not know. */
  unreportedTurns: number;
  toolCalls: number;
  toolErrors: number;
  compactions: number;
  failedCompactions: number;
  branchSummaries: number;
  runs: number;
  /** How often a copy was reported; `copies` may hold fewer. */
  copies: number;
}

export interface ToolCount {
  readonly name: string;
  calls: number;
  errors: number;
}

interface Body extends TimelineBody {
  readonly id: string;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly started: Started | null;
  readonly ended: SessionEnded | null;
  readonly counts: Counts;
  readonly tools: readonly ToolCount[];
  readonly cellMinutes: CellMinutes;
  readonly usage: readonly BodyFamily[];
  readonly claims: ClaimsBody | null;
  readonly copies: readonly Copy[];
  /** Absent where there are none. */
  readonly unpriced?: readonly BodyUnpriced[];
  readonly switches?: readonly Switch[];
  readonly askers?: AskersBody;
  readonly streamed?: StreamedBody;
  readonly agents?: AgentsBody;
}

interface BodyFamily extends FamilyName {
  readonly lines?: readonly BodyLine[];
  /** In sealed documents of versions up to 4, which knew one line for each family. */
  readonly cells?: readonly BodyCell[];
}

type BodyLine = readonly [
  thinking: string,
  costSource: string,
  stopReason: string,
  ...cells: BodyCell[],
];

/** The cell's minute since 1970, then its measures without trailing zeros. */
type BodyCell = readonly [minute: number, ...amounts: (number | string)[]];

export function createSession(id: string, rules: TimelineRules): SessionState {
  return {
    id,
    firstSeenAt: '',
    lastSeenAt: '',
    started: null,
    ended: null,
    counts: {
      prompts: 0,
      turns: 0,
      unreportedTurns: 0,
      toolCalls: 0,
      toolErrors: 0,
      compactions: 0,
      failedCompactions: 0,
      branchSummaries: 0,
      runs: 0,
      copies: 0,
    },
    tools: new Map(),
    timeline: makeTimeline(null, [], rules),
    spending: createSpending(id, 1),
    claims: createClaims(),
    askers: new Map(),
    copies: new Map(),
    switches: new Map(),
    streamed: { answers: new Map(), isCounted: true },
    agents: new Map(),
  };
}

export function encodeSession(state: SessionState): string {
  const { id, firstSeenAt, lastSeenAt, started, ended, counts, timeline, spending } = state;
  const unpriced = encodeUnpriced(spending);
  const body: Body = {
    id,
    firstSeenAt,
    lastSeenAt,
    started,
    ended,
    counts,
    tools: [...state.tools.values()].sort((left, right) => compareText(left.name, right.name)),
    ...encodeTimeline(timeline),
    cellMinutes: spending.cellMinutes,
    usage: [...spending.families.values()].sort(compareFamilies).map(encodeFamily),
    claims: encodeClaims(state.claims),
    copies: [...state.copies.values()].sort((left, right) =>
      compareText(left.copySessionId, right.copySessionId),
    ),
    ...(unpriced.length === 0 ? {} : { unpriced }),
    ...(state.switches.size === 0 ? {} : { switches: encodeSwitches(state.switches) }),
    ...(state.askers.size === 0 ? {} : { askers: encodeAskers(state.askers) }),
    ...encodeStreamed(state.streamed),
    ...encodeAgents(state.agents),
  };
  return JSON.stringify(body);
}

export function decodeSession(text: string, rules: TimelineRules): SessionState {
  const body: Body = JSON.parse(text);
  const { id, firstSeenAt, lastSeenAt, started, ended, counts } = body;
  const spending = createSpending(id, body.cellMinutes);
  for (const family of body.usage) decodeFamily(spending, family);
  for (const each of body.unpriced ?? []) decodeUnpriced(spending, each);
  const claims = decodeClaims(body.claims);
  return {
    id,
    firstSeenAt,
    lastSeenAt,
    started,
    ended,
    counts,
    tools: new Map(body.tools.map((tool) => [tool.name, tool])),
    timeline: decodeTimeline(body, rules),
    spending,
    claims,
    askers: decodeAskers(body.askers ?? [], claims),
    copies: new Map(body.copies.map((copy) => [copy.copySessionId, copy])),
    switches: decodeSwitches(body.switches ?? []),
    streamed: decodeStreamed(body.streamed ?? [], body),
    agents: decodeAgents(body.agents ?? []),
  };
}

function encodeFamily({ provider, model, kind, lines }: Family): BodyFamily {
  const sorted = [...lines.values()].sort(compareVariants);
  return { provider, model, kind, lines: sorted.map(encodeLine) };
}

function encodeLine({ thinking, costSource, stopReason, cells }: SpendLine): BodyLine {
  const sorted = [...cells.values()].sort((left, right) => left.minute - right.minute);
  return [thinking, costSource, stopReason, ...sorted.map(encodeCell)];
}

function encodeCell({ minute, amounts }: SpendCell): BodyCell {
  const cell: [number, ...(number | string)[]] = [minute];
  writeAmounts(cell, amounts);
  return cell;
}

function decodeFamily(spending: Spending, { lines = [], cells = [], ...name }: BodyFamily): void {
  for (const [thinking, costSource, stopReason, ...each] of lines)
    decodeCells(spending, lineOf(spending, { ...name, thinking, costSource, stopReason }), each);
  if (cells.length > 0) decodeCells(spending, lineOf(spending, { ...name, ...noVariant }), cells);
}

function decodeCells(spending: Spending, line: SpendLine, cells: readonly BodyCell[]): void {
  for (const [minute, ...amounts] of cells) addCell(spending, line, minute, readAmounts(amounts));
}
