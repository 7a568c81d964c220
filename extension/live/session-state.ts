/** What the recorder remembers of a session while the process lives. */
import type { EventData } from '@pi-ledger/contract';
import type { Entry, Header } from '../../core/record/entry.ts';
import type { ContentOf, RecordedSession } from '../../core/record/entry-draft.ts';
import type { PathState } from '../../core/record/path-state.ts';
import type { Privacy } from '../../core/record/privacy.ts';
import type { Attribution } from '../attribution/attribution.ts';
import type { Parentage } from '../attribution/parentage.ts';
import type { CompactionSettings } from '../host/limits.ts';
import type { WriteMark } from '../host/own-entry.ts';
import {
  type ContextPrefix,
  type CurrentLimits,
  nothingReported,
  type ReportedContext,
} from './reported-context.ts';
import type { Run } from './run.ts';
import { noFigures, noTotals, type SessionTotals, type TotalFigures } from './totals.ts';
import type { Weights } from './weights.ts';

/** An entry and the state at its parent. */
export interface PathEntry {
  readonly entry: Entry;
  readonly above: PathState;
}

/** A tool that runs now (running-tools.ts). */
export interface RunningTool {
  readonly toolName: string;
  /** The turn that called it; null if this process has not seen it. */
  readonly turnEntryId: string | null;
  readonly startedMs: number;
  /** It was called while the session was paused. */
  readonly isPrivate: boolean;
}

/** A request to a model that has not been answered. */
export interface OpenRequest {
  readonly startedAtMs: number;
  readonly startedMonotonicMs: number;
  /** Wall clock, as the answer reports it. */
  requestedAtMs: number | null;
  /** It is null also for an attempt that failed before an answer began. */
  begunMonotonicMs: number | null;
  status: number | null;
}

/** The agent waits for the user. */
export interface OpenWait {
  readonly kind: string;
  readonly toolCallId: string | null;
  readonly toolName: string | null;
  readonly turnEntryId: string | null;
  readonly promptEntryId: string | null;
  readonly startedMonotonicMs: number;
}

export interface OpenCompaction {
  readonly startedAtMs: number;
  readonly startedMonotonicMs: number;
  readonly trigger: string | null;
  readonly instructionsChars: number | null;
  readonly instructions: string | null;
  /** False for a background summary, whose end may never be reported (omp). */
  readonly mustEnd: boolean;
}

export interface SessionState {
  readonly id: string;
  readonly header: Header | null;
  /** It is null for a session in memory only, which cannot be resumed and has no mark. */
  readonly file: string | null;
  readonly session: RecordedSession;
  /** After the last entry seen. */
  privacy: Privacy;
  /** Its recording was paused at some time. */
  hasMarks: boolean;
  /** Its parent was paused, and the entry of ours that says so here is still to be seen. */
  isMarkDue: boolean;
  writeMark: WriteMark | null;
  readonly parentage: Parentage;
  /** Ids of all entries that are recorded, in the backlog, or not this session's own. */
  readonly seen: Set<string>;
  /** How far all entries were scanned: their number, and the last one's id. */
  scanned: { readonly count: number; readonly lastId: string | null };
  /** At entries seen while this process followed the session, and at those they branch from. */
  readonly pathStates: Map<string, PathState>;
  /**
   * Seen but not in the spool: entries after the mark of a resumed session, and those the spool
   * refused. In file order; references to entries that the host keeps anyway.
   */
  backlog: readonly PathEntry[];
  /**
   * True once the backlog overflowed: the mark then stays, and the next resume (or an import)
   * records the rest.
   */
  hasGap: boolean;
  /** The spool has refused an append since the backlog was last tried. */
  wasRefused: boolean;
  markedEntryId: string | null;
  /** What must not be recorded before the session's start is. */
  held: readonly PathEntry[];
  /** The session began here, and its `session.started` is not in the spool yet. */
  owesStart: boolean;
  openedMonotonicMs: number;
  /** After `session_shutdown`; a session may be resumed. */
  isOver: boolean;
  previousFile: string | null;
  /** From a `session_init` entry (omp's subagents), or from the name that a package gave it. */
  agentName: string | null;
  /** Cumulative: a provider once known to be on a plan stays so. */
  billing: Record<string, 'metered' | 'subscription'>;
  /** As last appended. */
  attribution: Attribution | null;
  /** What was checked out, as last appended; tells whether it changed. */
  head: string | null;
  /** As set here (`/ledger label`). */
  readonly labels: Map<string, string>;
  run: Run | null;
  /** The last turn's context, until it is sampled. */
  unsampledTokens: number | null;
  /** pi: from `turn_start` until its answer is recorded. */
  request: OpenRequest | null;
  /** The last answer, until it is timed. */
  untimedTurn: EventData<'pi.turn.completed.v1'> | null;
  /** omp: monotonic, while it retries. */
  retryingSinceMs: number | null;
  readonly toolStarts: Map<string, number>;
  readonly runningTools: Map<string, RunningTool>;
  /** Open waits for the user. */
  readonly waits: Map<string, OpenWait>;
  /** The current one. */
  compaction: OpenCompaction | null;
  /**
   * omp: the trigger of an automatic compaction, from `auto_compaction_start` to
   * `auto_compaction_end`.
   */
  automatic: { readonly trigger: string | null } | null;
  /** As last read or reported, and for which model. */
  settings: { readonly modelKey: string | null; readonly values: CompactionSettings } | null;
  /** What precedes the first message, as last measured. */
  prefix: ContextPrefix | null;
  /** Limits and prefix, as last appended. */
  reportedContext: ReportedContext;
  readonly totals: SessionTotals;
  /** Results of its parent's tools repeat this much of its totals and those of its subagents. */
  repeated: TotalFigures;
  /** The totals were these when a result of its parent's tools last said just that. */
  told: TotalFigures;
  readonly weights: Weights;
  /** Entries of its own were there before this process saw it: they are not in `totals`. */
  hasEarlier: boolean;
  /** As last sampled; tokens are null where the host does not know them. */
  context: { readonly tokens: number | null; readonly windowTokens: number | null } | null;
  /** As last computed. */
  limits: CurrentLimits | null;
  /** What the host reported about compactions, by entry id; limited in number. */
  readonly compactionNotices: Map<
    string,
    { readonly trigger: string | null; readonly durationMs: number | null }
  >;
  compactionsFailed: number;
  /** pi: monotonic, from when the host asks for a summary until its entry is seen. */
  summarySinceMs: number | null;
  /** It is the time that the last answer's entry gives. */
  answeredAtMs: number | null;
  /** Requests that no entry explains, as last appended. */
  packageRequests: number;
}

export interface OpenedSession {
  readonly id: string;
  readonly header: Header | null;
  readonly file: string | null;
  readonly agentName: string | null;
  readonly parentage: Parentage;
  readonly openedMonotonicMs: number;
  readonly contentOf?: ContentOf | null;
}

export function newSessionState(opened: OpenedSession): SessionState {
  const { contentOf = null, ...rest } = opened;
  const { id, header, file, parentage } = rest;
  return {
    ...rest,
    session: {
      id,
      cwd: header?.cwd ?? null,
      parent: parentage.parent,
      isMemoryOnly: file === null,
      contentOf,
    },
    privacy: 'none',
    hasMarks: false,
    isMarkDue: false,
    writeMark: null,
    seen: new Set(),
    scanned: { count: 0, lastId: null },
    pathStates: new Map(),
    backlog: [],
    hasGap: false,
    wasRefused: false,
    markedEntryId: null,
    held: [],
    owesStart: false,
    isOver: false,
    previousFile: null,
    billing: {},
    attribution: null,
    head: null,
    labels: new Map(),
    run: null,
    unsampledTokens: null,
    request: null,
    untimedTurn: null,
    retryingSinceMs: null,
    toolStarts: new Map(),
    runningTools: new Map(),
    waits: new Map(),
    compaction: null,
    automatic: null,
    settings: null,
    prefix: null,
    reportedContext: nothingReported,
    totals: noTotals(),
    repeated: noFigures(),
    told: noFigures(),
    weights: new Map(),
    hasEarlier: false,
    context: null,
    limits: null,
    compactionNotices: new Map(),
    compactionsFailed: 0,
    summarySinceMs: null,
    answeredAtMs: null,
    packageRequests: 0,
  };
}

/**
 * A run without a person. omp's subagents are none: they are sessions of their own in the host's
 * process.
 */
export function isHeadless({ attribution, parentage }: SessionState): boolean {
  if (attribution === null || attribution.mode === 'tui') return false;
  return attribution.agent.kind !== 'subagent' || parentage.kind === 'child-process';
}
