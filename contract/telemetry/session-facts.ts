/**
 * Whose sessions are, for what exporters say of their events: from attributions, which hold by
 * time. Queries give it; exporters write it down.
 */
export interface SessionFacts {
  /** Whose the session was at this time (an event's `time`), as usage of then is counted. */
  at(time: string): FactsAt;
  /**
   * The entry id of its parent's newest prompt up to this time; null: there is none, or not the
   * whole log is at hand.
   */
  parentPromptAt(time: string): string | null;
}

export interface FactsAt {
  readonly project: string;
  /** It is null when there is no branch, or it is not known. */
  readonly branch: string | null;
  /** `pi` or `omp`. */
  readonly hostName: string;
  readonly hostVersion: string | null;
  readonly agentKind: 'main' | 'subagent';
  readonly agentName: string | null;
  readonly user: string;
  readonly parentSessionId: string | null;
  /** The user's rules exclude its project: nothing of it is exported. */
  readonly isIgnored: boolean;
  /** How spend with this provider is billed. */
  billingOf(provider: string): 'metered' | 'subscription' | 'unknown';
}

/**
 * By session id. A session that nobody knows, or that has no attribution yet, is absent. Rejects
 * when the store fails.
 */
export type ReadSessionFacts = (
  sessionIds: Iterable<string>,
) => Promise<ReadonlyMap<string, SessionFacts>>;
