import type { Static, TObject } from 'typebox';

/**
 * Definition of an event type. A new one is a file in the folder of its basis below `events/`,
 * and a line in `registry.ts`.
 *
 * `basis` decides identity, and an event has exactly one:
 * - `entry`: contains what a session entry says, and no more; id and data are computed from the
 *   entry alone, so the live and the imported record of an entry are the same, whichever arrives
 *   first. (Texts, which are sent only if enabled on a machine, may be in one of them only.)
 * - `live`: contains what only the running host shows; its id is drawn when it is recorded.
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
