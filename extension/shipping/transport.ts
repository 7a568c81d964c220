/**
 * Sends one batch to the collector: it proves its identity, then `POST <url>/v1/events`, gzip, one
 * answer. No retries and no state: those are the shipper's.
 *
 * Every socket and timer is unref'd: a pending request never keeps the host alive. Name resolution
 * cannot be unref'd: with a remote collector and an unresponsive name server, a lookup in flight
 * holds the process until the resolver gives up (10 s observed). The default address needs none.
 * Each batch uses a new connection: at one batch every second or two, the other side would usually
 * have closed a kept one.
 */
import type { CollectorConnection } from './connection.ts';
import type { SendResult } from './send-result.ts';

export interface Transport {
  /**
   * `lines` are JSON texts, sent unchanged as one JSON array. Contract: never rejects; settles
   * within the timeout. Even without `acked` the collector may have accepted the batch (a lost
   * answer): sending it again is harmless, since events carry ids.
   */
  send(lines: readonly string[]): Promise<SendResult>;
}

const sendTimeoutMs = 5_000;

/** Contract: opens and imports nothing until the first `send`. */
export function createTransport(options: CollectorConnection): Transport {
  return {
    async send(lines) {
      try {
        const { exchange } = await import('./exchange.ts'); // not loaded at the host's start
        return await exchange(lines, { timeoutMs: sendTimeoutMs, ...options });
      } catch (error) {
        return { state: 'retry', cause: 'local', reason: String(error) };
      }
    },
  };
}
