/**
 * Which cell of a ledger an event belongs to: all of a session is in one. Pure, and never changes:
 * what is stored was divided by it, and gateways choose the partition by it.
 */
import type { LedgerEvent } from '@pi-ledger/contract';

/** From 0, less than `cells`. */
export function partitionOf(
  { type, subject }: Pick<LedgerEvent, 'type' | 'subject'>,
  cells: number,
): number {
  // A budget is of all sessions together: one cell has what is said of it.
  return type.startsWith('pi.budget.') ? 0 : partitionOfText(subject, cells);
}

export function partitionOfText(text: string, cells: number): number {
  return mixed(hashOf(text)) % cells;
}

/** FNV-1a over UTF-8. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** MurmurHash3's finalizer: FNV's low bits alone repeat those of similar texts. */
function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
