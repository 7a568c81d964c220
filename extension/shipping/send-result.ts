/** The result of sending one batch. */
import type { Ack } from '@pi-ledger/contract';

export type SendResult =
  /**
   * Stored durably by the collector, as events or as dead letters: no longer our responsibility.
   */
  | { readonly state: 'acked'; readonly ack: Ack }
  /** The collector will never accept this body: split it. */
  | { readonly state: 'refused'; readonly status: number }
  | Unauthorized
  | Retry;

/** The token is wrong or missing. */
export interface Unauthorized {
  readonly state: 'unauthorized';
  readonly status: number;
}

/** A later attempt may succeed. */
export interface Retry {
  readonly state: 'retry';
  /**
   * `network`: no connection, or it broke. `timeout`: no answer in time. `busy`: a collector, or
   * something in front of it, asks to wait. `stranger`: the answer is not from a collector, or the
   * collector does not prove that it is ours. `local`: failed before anything was sent.
   */
  readonly cause: 'network' | 'timeout' | 'busy' | 'stranger' | 'local';
  readonly reason: string;
  readonly retryAfterMs?: number;
  /** What the user can do about a stranger: one sentence. */
  readonly remedy?: string;
}
