/**
 * One batch to the collector: `POST <url>/v1/events`, gzip, one answer. No retry and no state: that is the shipper's.
 *
 * Every socket and timer is unref'd: a pending request never keeps the host alive. Looking up a host name can't be unref'd: with a remote
 * collector and a dead name server, a lookup in flight holds the process until the resolver gives up (10 s seen). The default address needs
 * none.
 * A new connection each time: with one request in a second or two, a kept one would mostly be found closed by the other side.
 */
import type { Ack } from '@pi-ledger/contract';

export type SendResult =
  /** Durable at the collector, or refused there and kept as a dead letter: either way no longer ours. */
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
   * `network`: no connection, or it broke. `timeout`: no answer in time. `busy`: a collector, or something in front of it, asks for
   * patience. `stranger`: something answers that is no collector. `local`: it failed before anything was sent.
   */
  readonly cause: 'network' | 'timeout' | 'busy' | 'stranger' | 'local';
  readonly reason: string;
  readonly retryAfterMs?: number;
}

export interface Transport {
  /**
   * `lines` are JSON texts; they travel as they are, as one JSON array.
   * Contract: never rejects; settles within the timeout. Unless `acked`, the collector may have taken the batch all the same (a lost
   * answer): sending it again is harmless, since events carry ids.
   */
  send(lines: readonly string[]): Promise<SendResult>;
}

const sendTimeoutMs = 5_000;

export interface TransportOptions {
  /** Of the collector, with or without a path in front of `/v1`. A bad one makes every result `retry`. */
  readonly url: string;
  readonly token: string | null;
  readonly nowMs: () => number;
  readonly timeoutMs?: number;
}

/** Contract: opens nothing and imports nothing until the first `send`. */
export function createTransport(options: TransportOptions): Transport {
  return {
    async send(lines) {
      try {
        const { exchange } = await import('./shipping/exchange.ts'); // not at the host's start
        return await exchange(`[${lines.join(',')}]`, { timeoutMs: sendTimeoutMs, ...options });
      } catch (error) {
        return { state: 'retry', cause: 'local', reason: String(error) };
      }
    },
  };
}
