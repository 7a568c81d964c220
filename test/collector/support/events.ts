/** Events for the collector's tests, made from the contract's own examples. */
import { type EventTypeName, eventTypes, type LedgerEvent } from '@pi-ledger/contract';

export interface EventOptions {
  /** The same number gives the same id. */
  readonly number: number;
  readonly type?: EventTypeName;
  readonly source?: string;
  /** 0: without one, as an imported event. */
  readonly sequence?: number;
  readonly subject?: string;
  readonly time?: string;
  readonly data?: object;
}

export function exampleEvent(options: EventOptions): LedgerEvent {
  const {
    number,
    type = 'pi.turn.completed.v1',
    source = '/producers/one',
    sequence = number,
    subject = 'session-1',
  } = options;
  const event = {
    specversion: '1.0',
    id: eventId(number),
    source,
    type,
    time: options.time ?? '2026-11-22T09:00:00.000Z',
    subject,
    ...(sequence === 0 ? {} : { sequence: String(sequence).padStart(10, '0') }),
    data: { ...exampleOf(type), ...options.data },
  };
  return event as unknown as LedgerEvent;
}

export function exampleEvents(
  first: number,
  count: number,
  options: Omit<EventOptions, 'number'> = {},
): LedgerEvent[] {
  return Array.from({ length: count }, (_, index) =>
    exampleEvent({ ...options, number: first + index }),
  );
}

export function eventId(number: number): string {
  const hex = number.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-8000-8000-000000000000`;
}

const examples: ReadonlyMap<string, string> = new Map(
  eventTypes.map(({ type, example }) => [type, JSON.stringify(example)]),
);

/** A new object each time, which tests may change. */
function exampleOf(type: EventTypeName): object {
  const example = examples.get(type);
  if (example === undefined) throw new Error(`no event type ${type}`);
  return JSON.parse(example);
}
