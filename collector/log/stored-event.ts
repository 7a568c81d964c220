/**
 * An event with its place in the log, and the way there from a stored text. What is on disk may
 * have changed since it was taken in: a text that is no event any more, or another one's, becomes a
 * `StoredEvent` with its `damage`, so that whoever reads goes on behind it. Pure.
 *
 * Does not: notice a changed figure or letter in a text that still is an event.
 */
import type { LedgerEvent } from '@pi-ledger/contract';

export interface StoredEvent {
  /** From 1, without gaps. */
  readonly position: number;
  readonly receivedAtMs: number;
  readonly event: LedgerEvent;
  /**
   * What is wrong with the stored text, which is then not in `event`: that has an id (empty where
   * it cannot be read) and nothing else to rely on.
   */
  readonly damage?: string;
}

/** An event as it is stored, for whoever writes it elsewhere exactly so. */
export interface StoredText {
  readonly position: number;
  readonly receivedAtMs: number;
  /** As it stands beside the text. */
  readonly eventId: string;
  /** The event's JSON, character for character as it came. */
  readonly text: string;
}

export function readEvent({ position, receivedAtMs, eventId, text }: StoredText): StoredEvent {
  const event = parse(text);
  const damage = damageOf(event, eventId);
  if (damage !== null) return damagedEvent({ position, receivedAtMs, eventId }, damage);
  return { position, receivedAtMs, event: event as LedgerEvent };
}

/** In its place in the log. */
export function damagedEvent(
  { position, receivedAtMs, eventId }: Omit<StoredText, 'text'>,
  damage: string,
): StoredEvent {
  const event = {
    specversion: '1.0',
    id: eventId,
    source: '',
    type: 'damaged',
    time: '',
    subject: '',
    data: {},
  };
  return { position, receivedAtMs, event: event as unknown as LedgerEvent, damage };
}

/** What every event has that was ever taken in; null: all of it. */
function damageOf(event: unknown, eventId: string): string | null {
  if (event === undefined) return 'Its text is damaged: it is not JSON any more.';
  const { id, type, source, subject, time, data } = (event ?? {}) as Partial<
    Record<keyof LedgerEvent, unknown>
  >;
  if (id !== eventId) return 'Its text is damaged: it is of another event.';
  const areTexts =
    typeof type === 'string' &&
    typeof source === 'string' &&
    typeof subject === 'string' &&
    typeof time === 'string';
  return areTexts && typeof data === 'object' && data !== null
    ? null
    : 'Its text is damaged: it is no event any more.';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
