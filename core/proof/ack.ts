import type { Ack } from '@pi-ledger/contract';

/**
 * Returns null unless the text is a complete ack for exactly `sent` events, each counted once:
 * events are removed because of it. Any other answer does not come from a collector, or something
 * in between answered in its place.
 */
export function parseAck(text: string, sent: number): Ack | null {
  let ack: Partial<Record<keyof Ack, unknown>> | null;
  try {
    ack = JSON.parse(text);
  } catch {
    return null; // the caller treats it as the answer of another program
  }
  if (typeof ack !== 'object' || ack === null) return null;
  const { accepted, duplicates, expired, rejected } = ack;
  const counts = [accepted, duplicates, expired];
  if (
    !counts.every(isCount) ||
    !Array.isArray(rejected) ||
    !areIndexes(rejected.map(readIndex), sent)
  )
    return null;
  return counts.reduce((sum, count) => sum + count, rejected.length) === sent ? (ack as Ack) : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function readIndex(rejection: unknown): unknown {
  return typeof rejection === 'object' && rejection !== null
    ? (rejection as { index?: unknown }).index
    : undefined;
}

/** Whether they are indexes of sent events, each at most once. */
function areIndexes(indexes: readonly unknown[], sent: number): boolean {
  return (
    indexes.every((index) => isCount(index) && index < sent) &&
    new Set(indexes).size === indexes.length
  );
}
