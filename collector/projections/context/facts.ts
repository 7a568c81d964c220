/**
 * What the projection `context` keeps of a session's events: compact facts, no content. Questions
 * are computed from them (collector/queries/context/).
 *
 * Units stand in the names; characters are UTF-16 code units, as in the contract's `Sizes`.
 */

/** Text, thinking, tool calls, other characters, then the number of images. */
export type SizeFigures = readonly [
  textChars: number,
  thinkingChars: number,
  toolCallChars: number,
  otherChars: number,
  images: number,
];

interface EntryBase {
  readonly time: string;
  readonly id: string;
  /** May name an entry that the ledger does not hold (labels, titles, extensions' own data). */
  readonly parentId: string | null;
  /** The nearest user entry above. */
  readonly promptId: string | null;
  readonly sizes: SizeFigures;
}

interface UserFact extends EntryBase {
  readonly kind: 'user';
}

/** What an answer, or the call that made a summary, spent. */
export interface SpendFact {
  readonly provider: string;
  readonly model: string;
  readonly reported: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costNanoUsd: number | null;
}

/** An answer, or an attempt that reported nothing. */
export interface TurnFact extends EntryBase, SpendFact {
  readonly kind: 'turn';
  /** What the host says that these cost; null where it does not say. */
  readonly inputNanoUsd: number | null;
  readonly cacheReadNanoUsd: number | null;
  readonly cacheWriteNanoUsd: number | null;
  readonly stopReason: string;
  /** omp's own count of system prompt and tool definitions. */
  readonly nonMessageTokens: number | null;
}

export interface ToolFact extends EntryBase {
  readonly kind: 'tool';
  readonly toolName: string;
  readonly isError: boolean;
  readonly turnId: string | null;
  /** Files that the call names, relative to the session's directory; bounded. */
  readonly paths: readonly string[];
}

/** Every other message that fills the context. */
interface MessageFact extends EntryBase {
  readonly kind: 'message';
  readonly role: string;
  /** Part of the other characters. */
  readonly toolDefinitionChars: number;
  readonly toolsChanged: boolean;
}

/** What is in force from here on. */
interface ModelFact extends EntryBase {
  readonly kind: 'model';
  readonly provider: string;
  readonly model: string;
  readonly thinkingLevel: string;
  /** omp: the role that the model plays; empty elsewhere. */
  readonly role: string;
}

/** Spend outside answers: `cache_warm`, side calls. It fills no context. */
interface UsageFact extends EntryBase {
  readonly kind: 'usage';
  readonly usageKind: string;
  readonly costNanoUsd: number | null;
}

/** From here on another entry is left out of the context, or has the content of this size. */
interface EditFact extends EntryBase {
  readonly kind: 'edit';
  /** Null: nothing above is sent any more. */
  readonly targetId: string | null;
  readonly removed: boolean;
}

interface SummaryBase extends EntryBase {
  /** Finds the event in the log: what it says beyond figures is kept nowhere else. */
  readonly eventId: string;
  readonly fromExtension: boolean;
  /** Bounded; the counts are of all. */
  readonly filesRead: readonly string[];
  readonly filesReadCount: number;
  readonly filesModified: readonly string[];
  readonly filesModifiedCount: number;
  /** Null: the host did not report it. */
  readonly spend: SpendFact | null;
}

export interface CompactionFact extends SummaryBase {
  readonly kind: 'compaction';
  readonly tokensBefore: number | null;
  readonly tokensAfterEstimated: number | null;
  readonly firstKeptId: string | null;
  readonly method: string;
  /**
   * Of the system message that pi repeats here: definitions of tools are a part of the other
   * characters.
   */
  readonly toolDefinitionChars: number;
}

export interface BranchSummaryFact extends SummaryBase {
  readonly kind: 'branchSummary';
  readonly fromId: string | null;
}

export type EntryFact =
  | UserFact
  | TurnFact
  | ToolFact
  | MessageFact
  | ModelFact
  | UsageFact
  | EditFact
  | CompactionFact
  | BranchSummaryFact;

/** What only the live host saw of a compaction. */
export interface TimedFact {
  readonly time: string;
  readonly eventId: string;
  readonly entryId: string | null;
  readonly trigger: string | null;
  readonly willRetry: boolean | null;
  readonly durationMs: number | null;
  /** Of what the user asked the summary to heed; null where the host does not say. */
  readonly instructionsChars: number | null;
}

/** A compaction that left no entry. */
export interface FailedFact {
  readonly time: string;
  /** The event's. */
  readonly id: string;
  readonly trigger: string | null;
  readonly aborted: boolean;
  readonly willRetry: boolean | null;
  readonly durationMs: number | null;
  /** Of what the user asked the summary to heed; null where the host does not say. */
  readonly instructionsChars: number | null;
}

/** A sample that no answer tells of: the host's estimate, or that it does not know. */
export interface SampleFact {
  readonly time: string;
  readonly entryId: string | null;
  readonly tokens: number | null;
  readonly source: 'estimate' | 'unknown';
}

/** How large a model's window is, as the live host said. */
export interface WindowFact {
  readonly provider: string;
  readonly model: string;
  readonly windowTokens: number;
  /** The first and the last time in this chunk that it was said. */
  firstAt: string;
  lastAt: string;
}

/** When the host compacts by itself; in force until it says otherwise. */
export interface LimitsFact {
  readonly time: string;
  /** Of the window that it was worked out for. */
  readonly windowTokens: number | null;
  readonly autoCompaction: boolean | null;
  readonly thresholdTokens: number | null;
  readonly reserveTokens: number | null;
  readonly keepRecentTokens: number | null;
  readonly source: 'host' | 'files' | 'default';
}

/** What fills the window before the first message; in force until the host says otherwise. */
export interface FixtureFact {
  readonly time: string;
  readonly systemPromptChars: number | null;
  readonly toolDefinitionChars: number | null;
  readonly tools: number | null;
  readonly toolSetHash: string | null;
}
