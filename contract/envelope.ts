/**
 * The envelope of every event: CloudEvents 1.0 in JSON.
 * Source: https://github.com/cloudevents/spec (core 1.0.2; `sequence` extension).
 */
import { type Static, Type } from 'typebox';
import { Ownership } from './ownership.ts';

/**
 * `YYYY-MM-DDTHH:mm:ss.sssZ`: UTC, milliseconds, always 24 characters, so that times sort as text.
 */
export const Time = Type.String({
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$',
});

export const Envelope = Type.Object({
  specversion: Type.Literal('1.0'),
  /**
   * UUIDv8 for events from session entries (computed from the entry: the same live and imported),
   * UUIDv7 for events that only the live host shows. In both, the first 48 bits are a time in ms.
   */
  id: Type.String({
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  }),
  /** The producer process (`/producers/<uuid>`) or importer (`/importers/<name>`). */
  source: Type.String({ minLength: 1, maxLength: 200 }),
  type: Type.String({ minLength: 1, maxLength: 100 }),
  /** When it happened, by the producer's clock; never the time of import or receipt. */
  time: Time,
  /** The session id. */
  subject: Type.String({ minLength: 1, maxLength: 200 }),
  /**
   * Position within the producer process, from 1, ten digits (sorts as text). Imported events have
   * none.
   */
  sequence: Type.Optional(Type.String({ pattern: '^\\d{10}$' })),
  /**
   * The user of the token that the event arrived with. Only the collector sets it, on
   * `pi.session.attributed.v1`; an event from a producer that has it is rejected.
   */
  authenticateduser: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  /**
   * The id of the token that the event arrived with, on events of every type. Only the collector
   * sets it, as the attribute above.
   */
  authenticatedtoken: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /**
   * On an importer's entry events whose owner is derived from a copy. Absent: the subject's own
   * file, or the session itself, is the source.
   */
  ownership: Type.Optional(Ownership),
  data: Type.Object({}),
});

export type Envelope = Static<typeof Envelope>;
