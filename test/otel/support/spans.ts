/** Which received span an event of the log has become. */
import { createHash } from 'node:crypto';
import type { StoredEvent } from '../../hosts/support/ledger/ledger-store.ts';
import type { ReceivedSpan } from '../../services/otelcol/received.ts';

/** As documented: derived from the event's id alone, so that anybody can tell it. */
export function idOfEvent(eventId: string): string {
  const text = JSON.stringify(['pi-ledger', 'event', eventId]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Throws unless there is exactly one. */
export function spanOf(spans: readonly ReceivedSpan[], { id, type }: StoredEvent): ReceivedSpan {
  const [span, ...others] = spans.filter(({ spanId }) => spanId === idOfEvent(id));
  if (span === undefined || others.length > 0)
    throw new Error(`${type} ${id} has ${span === undefined ? 0 : 1 + others.length} spans`);
  return span;
}

interface StoredSpend {
  readonly model: string | null;
  readonly reported: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costNanoUsd: number | null;
}

/** Contract: of an event that has spend. */
export function spendOf({ data }: StoredEvent): StoredSpend {
  return data.spend as StoredSpend;
}
