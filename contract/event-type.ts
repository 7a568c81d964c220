import type { Static, TObject } from 'typebox';

/**
 * What an event type is made of. A new one is a file in `events/` and a line in `registry.ts`.
 *
 * `basis` decides identity, and an event is one or the other, never both:
 * - `entry`: it says what a session entry says, no more; id and data are computed from the entry
 *   alone, so the live and the imported record of an entry are the same record, whichever arrives
 *   first. (Texts, which travel only where a machine was told to, may be in one of them.)
 * - `live`: it says what only the running host saw; its id is drawn when it is recorded.
 */
export interface EventType<Name extends string = string, Data extends TObject = TObject> {
  /** `pi.<subject>.<past verb>.v<version>` */
  readonly type: Name;
  readonly basis: 'entry' | 'live';
  readonly data: Data;
  /** A real-looking value that the tests validate and the documentation shows. */
  readonly example: Static<Data>;
}

export function defineEventType<const Name extends string, Data extends TObject>(
  eventType: EventType<Name, Data>,
): EventType<Name, Data> {
  return eventType;
}
