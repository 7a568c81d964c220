/**
 * How many bytes of bodies are in hand at once, of all requests together: from when they arrive
 * until they are answered. Parsed they take several times as much, and so do those that wait for
 * the store; without a bound, many large bodies at once would take all the memory there is.
 */
import { LedgerError } from '../errors.ts';

/** Of one request. Contract: `release` gives back all that was taken, once. */
export interface Hold {
  /**
   * Throws a LedgerError when there would be too much: nothing of the body was looked at then, and
   * it can be sent again.
   */
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

const busy = 'Too much is being sent at the moment; nothing was taken. Try again.';
