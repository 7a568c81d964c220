/**
 * One batch to the collector: it proves that it is one, then `POST <url>/v1/events`, gzip, one
 * answer. No retry and no state: that is the shipper's.
 *
 * Every socket and timer is unref'd: a pending request never keeps the host alive. Looking up a
 * host name can't be unref'd: with a remote collector and a dead name server, a lookup in flight
 * holds the process until the resolver gives up (10 s seen). The default address needs none. A new
 * connection each time: with one batch in a second or two, a kept one would mostly be found closed
 * by the other side.
 */
import type { ExchangeOptions } from './exchange.ts';
import type { SendResult } from './send-result.ts';

export interface Transport {
  /**
   * `lines` are JSON texts; they travel as they are, as one JSON array. Contract: never rejects;
   * settles within the timeout. Unless `acked`, the collector may have taken the batch all the same
   * (a lost answer): sending it again is harmless, since events carry ids.
   */
  send(lines: readonly string[]): Promise<SendResult>;
}

const sendTimeoutMs = 5_000;

export type TransportOptions = Omit<ExchangeOptions, 'timeoutMs'> & { readonly timeoutMs?: number };

/** Contract: opens nothing and imports nothing until the first `send`. */
export function createTransport(options: TransportOptions): Transport {
  return {
    async send(lines) {
      try {
        const { exchange } = await import('./exchange.ts'); // not at the host's start
        return await exchange(lines, { timeoutMs: sendTimeoutMs, ...options });
      } catch (error) {
        return { state: 'retry', cause: 'local', reason: String(error) };
      }
    },
  };
}
