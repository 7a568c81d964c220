/** An event with its place in the log. */
import type { LedgerEvent } from '@pi-ledger/contract';

export interface StoredEvent {
  readonly partition: number;
  /** From 1, without gaps, within the partition. */
  readonly position: number;
  readonly receivedAtMs: number;
  readonly event: LedgerEvent;
}

/** An event as it is stored, for whoever writes it elsewhere exactly so. */
export interface StoredText {
  readonly position: number;
  readonly receivedAtMs: number;
  readonly eventId: string;
  /** The event's JSON, character for character as it came. */
  readonly text: string;
}
