/**
 * Bounds the bytes of all request bodies together, from their arrival to the answer. Parsed bodies
 * take several times their size, and wait for the store; many large ones at once would exhaust the
 * memory.
 */
import { LedgerError } from '../../errors.ts';

/** The bytes of one request. Contract: `release` gives back everything taken, once. */
export interface Hold {
  /** Throws a LedgerError if it is too much; the body was not used and can be sent again. */
  take(bytes: number): void;
  release(): void;
}

export function createBytesInHand(bytesMax: number): { open(): Hold } {
  let inHand = 0;
  return {
    open() {
      let held = 0;
      return {
        take(bytes) {
          if (inHand + bytes > bytesMax)
            throw new LedgerError('store_unavailable', { message: busy });
          inHand += bytes;
          held += bytes;
        },
        release() {
          inHand -= held;
          held = 0;
        },
      };
    },
  };
}

const busy = 'Too much is being sent right now. Nothing was accepted; try again.';
