/** What became of one batch. */
import type { Ack } from '@pi-ledger/contract';

export type SendResult =
  /**
   * Durable at the collector, or refused there and kept as a dead letter: either way no longer
   * ours.
   */
  | { readonly state: 'acked'; readonly ack: Ack }
  /** This body will never be taken: split it. */
  | { readonly state: 'refused'; readonly status: number }
  /** The token is wrong or missing. */
  | { readonly state: 'unauthorized'; readonly status: number }
  | Retry;

/** Perhaps later. */
export interface Retry {
  readonly state: 'retry';
  /**
   * `network`: no connection, or it broke. `timeout`: no answer in time. `busy`: a collector, or
   * something in front of it, asks for patience. `stranger`: something answers that is no
   * collector, or does not prove that it is ours. `local`: it failed before anything was sent.
   */
  readonly cause: 'network' | 'timeout' | 'busy' | 'stranger' | 'local';
  readonly reason: string;
  readonly retryAfterMs?: number;
  /** What the user can do about a stranger: a sentence. */
  readonly remedy?: string;
}
