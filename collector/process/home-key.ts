/** The key of this home, by which programs that can read it recognise their own collector. */
import { ensureHomeKey } from '@pi-ledger/core/proof/home-key';

/**
 * Reads it, and makes one where there is none: it may have been taken away since the start. What it
 * answers never rejects; null: it cannot be had.
 */
export function homeKeyReader(
  home: string,
  onError: (error: unknown) => void,
): () => Promise<Uint8Array | null> {
  return () =>
    ensureHomeKey(home).catch((error: unknown) => {
      onError(error);
      return null;
    });
}
