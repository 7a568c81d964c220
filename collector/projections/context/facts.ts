/**
 * The facts that the projection `context` keeps of a session's events: compact, without content.
 * collector/answers/context/ computes answers from them.
 *
 * Names carry the units; characters are UTF-16 code units, as in the contract's `Sizes`.
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
  /** May name an entry that the ledger does not record (labels, titles, extensions' own data). */
  readonly parentId: string | null;
  /** The nearest user entry above. */
  readonly promptId: string | null;
  readonly sizes: SizeFigures;
}

interface UserFact extends EntryBase {
  readonly kind: 'user';
}

/** What an answer or a summarizing call spent. */
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
  /** The cost by kind of token, as the host reports it; null where it does not. */
  readonly inputNanoUsd: number | null;
  readonly cacheReadNanoUsd: number | null;
  readonly cacheWriteNanoUsd: number | null;
  readonly outputNanoUsd: number | null;
  readonly stopReason: string;
  /** omp's own count of tokens in the system prompt and tool definitions. */
  readonly nonMessageTokens: number | null;
  /** Wall clock, ms since 1970; null where the entry does not say, as the other times here. */
  readonly requestedAtMs: number | null;
  readonly durationMs: number | null;
  readonly firstTokenMs: number | null;
  /** HTTP status of a failed attempt. */
  readonly errorStatus: number | null;
}

export interface ToolFact extends EntryBase {
  readonly kind: 'tool';
  readonly toolName: string;
  readonly isError: boolean;
  readonly turnId: string | null;
  /** Files named by the call, relative to the session's directory; bounded. */
  readonly paths: readonly string[];
  /** Where a live host timed it: its moment has the duration. */
  readonly callId: string | null;
  readonly durationMs: number | null;
  /** Its own nested model work, if the host books it. */
  readonly provider: string;
  readonly costNanoUsd: number | null;
}

/** Any other message in the context. */
interface MessageFact extends EntryBase {
  readonly kind: 'message';
  readonly role: string;
  /** Part of `otherChars`. */
  readonly toolDefinitionChars: number;
  readonly toolsChanged: boolean;
}

/** A change of model or settings, effective from here on. */
interface ModelFact extends EntryBase {
  readonly kind: 'model';
  readonly provider: string;
  readonly model: string;
  readonly thinkingLevel: string;
  /** The model's role in omp; empty elsewhere. */
  readonly role: string;
}

/** Spend outside answers: `cache_warm`, side calls. It takes no room in the context. */
interface UsageFact extends EntryBase {
  readonly kind: 'usage';
  readonly usageKind: string;
  readonly provider: string;
  readonly costNanoUsd: number | null;
}

/** From here on, another entry is removed from the context or replaced by content of this size. */
interface EditFact extends EntryBase {
  readonly kind: 'edit';
  /** When it is null, nothing above is sent anymore. */
  readonly targetId: string | null;
  readonly removed: boolean;
}

interface SummaryBase extends EntryBase {
  /** Locates the event in the log: its texts are kept nowhere else. */
  readonly eventId: string;
  readonly fromExtension: boolean;
  /** Bounded; the counts cover all files. */
  readonly filesRead: readonly string[];
  readonly filesReadCount: number;
  readonly filesModified: readonly string[];
  readonly filesModifiedCount: number;
  /** It is null where the host did not report it. */
  readonly spend: SpendFact | null;
}

export interface CompactionFact extends SummaryBase {
  readonly kind: 'compaction';
  readonly tokensBefore: number | null;
  readonly tokensAfterEstimated: number | null;
  readonly firstKeptId: string | null;
  readonly method: string;
  /** Tool definitions in the system message that pi repeats here; part of `otherChars`. */
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

/** What only the live host reports about a compaction. */
export interface TimedFact {
  readonly time: string;
  readonly eventId: string;
  readonly entryId: string | null;
  readonly trigger: string | null;
  readonly willRetry: boolean | null;
  readonly durationMs: number | null;
  /** Length of the user's instructions for the summary; null where the host does not say. */
  readonly instructionsChars: number | null;
}

/** A failed compaction, which left no entry. */
export interface FailedFact {
  readonly time: string;
  /** The event's id. */
  readonly id: string;
  readonly trigger: string | null;
  readonly aborted: boolean;
  readonly willRetry: boolean | null;
  readonly durationMs: number | null;
  /** Length of the user's instructions for the summary; null where the host does not say. */
  readonly instructionsChars: number | null;
}

/** A sample without a provider's count: the host's estimate, or `unknown`. */
export interface SampleFact {
  readonly time: string;
  readonly entryId: string | null;
  readonly tokens: number | null;
  readonly source: 'estimate' | 'unknown';
}

/** The size of a model's window, as the live host reports it. */
export interface WindowFact {
  readonly provider: string;
  readonly model: string;
  readonly windowTokens: number;
  /** The first and last time it was reported in this chunk. */
  firstAt: string;
  lastAt: string;
}

/** When the host compacts automatically; effective until it reports otherwise. */
export interface LimitsFact {
  readonly time: string;
  /** The window these limits were computed for. */
  readonly windowTokens: number | null;
  readonly autoCompaction: boolean | null;
  readonly thresholdTokens: number | null;
  readonly reserveTokens: number | null;
  readonly keepRecentTokens: number | null;
  readonly source: 'host' | 'files' | 'default';
}

/** What fills the window before the first message; effective until the host reports otherwise. */
export interface FixtureFact {
  readonly time: string;
  readonly systemPromptChars: number | null;
  readonly toolDefinitionChars: number | null;
  readonly tools: number | null;
  readonly toolSetHash: string | null;
}
