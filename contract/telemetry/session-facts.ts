/**
 * Whose a session is, for what exporters say of its events: from its newest attribution. Queries
 * give it; exporters write it down.
 */
export interface SessionFacts {
  readonly project: string;
  /** Null: unknown, or no branch. */
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
  /** How spend with this provider is billed at this time (an event's `time`). */
  billingOf(provider: string, time: string): 'metered' | 'subscription' | 'unknown';
}

/**
 * By session id. A session that nobody knows, or that has no attribution yet, is absent. Rejects
 * when the store fails.
 */
export type ReadSessionFacts = (
  sessionIds: Iterable<string>,
) => Promise<ReadonlyMap<string, SessionFacts>>;
