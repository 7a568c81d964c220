/** A line of an export as ingest takes it: its event, as in the log. Pure. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { parseEvent } from '../../ingest/ingest.ts';
import { movedEntry } from '../../projections/session/moved.ts';

export interface OfferedEvent {
  readonly value: unknown;
  /** The event's JSON. */
  readonly text: string;
  /** The move that `value` is offered for; absent: it is what the line says. */
  readonly move?: LedgerEvent<'pi.entry.moved.v1'>;
}

/**
 * Accepts a line of `pi-ledger export`, one that another program rewrote from such a line, or a
 * bare event. A line that is not JSON is offered as a text, which is not an event: so it is
 * refused, and kept as it is.
 */
export function eventOfLine(line: string): OfferedEvent {
  const offered = asExported(line) ?? asJson(line);
  return isMove(offered.value) ? asEntry(offered.value) : offered;
}

function isMove(value: unknown): value is LedgerEvent<'pi.entry.moved.v1'> {
  const { type, data } = (value ?? {}) as {
    readonly type?: unknown;
    readonly data?: { readonly event?: unknown };
  };
  return type === 'pi.entry.moved.v1' && typeof data?.event === 'object' && data.event !== null;
}

/**
 * Moves of entries between sessions were decided by the other ledger. This ledger gets the same
 * events and decides itself.
 */
function asEntry(moved: LedgerEvent<'pi.entry.moved.v1'>): OfferedEvent {
  const value = movedEntry(moved);
  return { value, text: JSON.stringify(value), move: moved };
}

/** The characters of the event. */
function asExported(line: string): OfferedEvent | null {
  const text = /^\{"position":\d+,"receivedAt":"[^"]*","event":(.*)\}$/.exec(line)?.[1];
  if (text === undefined) return null;
  const value = parseEvent(text);
  return value === undefined ? null : { value, text };
}

function asJson(line: string): OfferedEvent {
  const value = parseEvent(line);
  if (value === undefined) return { value: line, text: JSON.stringify(line) };
  return isRow(value)
    ? { value: value.event, text: JSON.stringify(value.event) }
    : { value, text: line.trim() };
}

function isRow(value: unknown): value is { readonly event: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'event') &&
    !Object.hasOwn(value, 'specversion')
  );
}
