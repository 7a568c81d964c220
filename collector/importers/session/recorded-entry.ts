/** What came of one entry of a session file. */
import type { EventDraft } from '@pi-ledger/core/record/draft';

export type RecordedEntry =
  | {
      readonly kind: 'drafts';
      readonly drafts: readonly EventDraft[];
      /** When the answer above the entry was written. */
      readonly turnAtMs: number | null;
    }
  /** A copy without its price; the owner's own file exists and says more. */
  | { readonly kind: 'left to its owner' }
  /**
   * A copy without its price and with an unknown owner, whose own record could not be recognized as
   * the same.
   */
  | { readonly kind: 'left out' }
  /** Reading continued a file, and the entry is below one that was read long before. */
  | { readonly kind: 'unknown parent' }
  | { readonly kind: 'nested too deep' }
  /** The user had paused the recording. */
  | { readonly kind: 'private' };
