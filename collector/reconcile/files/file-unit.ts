/** A unit of spend in one session file, and the context of its entry. */
import type { Unit } from '../unit.ts';

/** A unit and what else its file says about it. */
export interface FileUnit {
  readonly unit: Unit;
  /**
   * Unique among all units. Two equal sums claimed by one tool result share an identity but are two
   * units.
   */
  readonly unitId: string;
  /**
   * For an answer, or a tool result with its own usage: the key that a parent repeating it also
   * computes.
   */
  readonly responseKey: string | null;
  /** When the answer above it was written. */
  readonly turnAtMs: number | null;
  /** What a tool result calls the subagents that it is about. */
  readonly names?: readonly string[];
  /** The runs of these that it tells of. */
  readonly runs?: readonly string[];
  /** The tool whose result it is of. */
  readonly tool?: string;
  /** An extension asked a model by itself, and says what the last answer spent: at least that. */
  readonly isLowerBound?: boolean;
  /** An extension made the summary, and nobody says what that cost. */
  readonly isUnsaidSummary?: boolean;
  /** The user had paused the recording: it counts nowhere. */
  readonly isPrivate?: boolean;
  /** omp took it over from another agent, which spent it: it counts nowhere. */
  readonly isOfOtherAgent?: boolean;
  /** Nobody knows what usage means on an entry of its type: it counts nowhere. */
  readonly isInUnknownPlace?: boolean;
}

/** What stands above an entry. Entries of one branch share it while it does not change. */
export interface Above {
  readonly provider: string | null;
  readonly model: string | null;
  readonly turnEntryId: string | null;
  readonly turnAtMs: number | null;
  /** The provider of that answer. */
  readonly turnProvider: string | null;
  /** By tool call of that answer: the agent whose result it asks for. */
  readonly agentIds?: ReadonlyMap<unknown, string>;
}

export interface EntryContext {
  readonly sessionId: string;
  readonly entryId: string;
  readonly timeMs: number;
  readonly above: Above;
}
