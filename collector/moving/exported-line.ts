/** A line of an export, as ingest takes it: its event, as it stood in the log. Pure. */
import { parseEvent } from '../ingest.ts';

export interface OfferedEvent {
  readonly value: unknown;
  /** The event's JSON. */
  readonly text: string;
}

/**
 * A line that `pi-ledger export` wrote, one that another program has written anew from such a line, or a bare event. A line that is no JSON is offered as
 * a text, which is no event: so it is refused, and kept with what is in it.
 */
export function eventOfLine(line: string): OfferedEvent {
  return asExported(line) ?? asJson(line);
}

/** The event's own characters. */
function asExported(line: string): OfferedEvent | null {
  const text = /^\{"position":\d+,"receivedAt":"[^"]*","event":(.*)\}$/.exec(line)?.[1];
  if (text === undefined) return null;
  const value = parseEvent(text);
  return value === undefined ? null : { value, text };
}

function asJson(line: string): OfferedEvent {
  const value = parseEvent(line);
  if (value === undefined) return { value: line, text: JSON.stringify(line) };
  return isRow(value) ? { value: value.event, text: JSON.stringify(value.event) } : { value, text: line.trim() };
}

function isRow(value: unknown): value is { readonly event: unknown } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'event') && !Object.hasOwn(value, 'specversion');
}
