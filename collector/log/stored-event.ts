/**
 * An event with its place in the log, parsed from a stored text. What is on disk may have changed
 * since it was received: a text that is no longer an event, or belongs to another one, becomes a
 * `StoredEvent` with its `damage`, so that readers continue after it. Pure.
 *
 * Does not: notice a changed figure or letter in a text that is still an event.
 */
import type { LedgerEvent } from '@pi-ledger/contract';

/** A log has no more: at a million events a second it takes half a year to use them up. */
export const positionsMax = 2 ** 44;

export interface StoredEvent {
  /** From 1, without gaps. */
  readonly position: number;
  readonly receivedAtMs: number;
  readonly event: LedgerEvent;
  /**
   * What is wrong with the stored text. `event` then has an id (empty when it cannot be read) and
   * nothing else to rely on.
   */
  readonly damage?: string;
}

/** A stored event, to be written elsewhere unchanged. */
export interface StoredText {
  readonly position: number;
  readonly receivedAtMs: number;
  /** The id stored beside the text; empty when nothing of the event can be read. */
  readonly eventId: string;
  /** The event's JSON exactly as received. */
  readonly text: string;
}

export function readEvent({ position, receivedAtMs, eventId, text }: StoredText): StoredEvent {
  const event = parse(text);
  const damage = eventId === '' ? unreadable : findDamage(event, eventId);
  if (damage !== null) return damagedEvent({ position, receivedAtMs, eventId }, damage);
  return { position, receivedAtMs, event: event as LedgerEvent };
}

const unreadable = 'The page of the file that holds it is damaged.';

/** A damaged event in its place in the log. */
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

/** Checks what every accepted event has; null when nothing is missing. */
function findDamage(event: unknown, eventId: string): string | null {
  if (event === undefined) return 'Its text is damaged: it is no longer JSON.';
  const { id, type, source, subject, time, data } = (event ?? {}) as Partial<
    Record<keyof LedgerEvent, unknown>
  >;
  if (id !== eventId) return 'Its text is damaged: it belongs to another event.';
  const areTexts =
    typeof type === 'string' &&
    typeof source === 'string' &&
    typeof subject === 'string' &&
    typeof time === 'string';
  return areTexts && typeof data === 'object' && data !== null
    ? null
    : 'Its text is damaged: it is no longer an event.';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
