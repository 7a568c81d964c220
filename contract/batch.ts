/** What producer and collector exchange: a batch of events, and an ack. */
import { type Static, Type } from 'typebox';
import { Count } from './fields.ts';

export const batchContentType = 'application/cloudevents-batch+json';
export const eventContentType = 'application/cloudevents+json';

/**
 * Limits of one request. A body over a limit is rejected as a whole (413), an oversized event on
 * its own.
 */
export const limits = {
  /** As received, compressed or not. */
  bodyBytesMax: 4 * 1024 * 1024,
  /**
   * After decompression. JSON that consists of brackets only takes many times as long to parse as
   * events: a larger body would block everybody for seconds.
   */
  decompressedBytesMax: 4 * 1024 * 1024,
  batchEventsMax: 5_000,
  eventBytesMax: 256 * 1024,
  /** Objects and arrays within each other. Ours have ten; stores refuse to read a thousand. */
  eventLevelsMax: 64,
  /**
   * Events further in the future than this are rejected: no clock is that wrong, and such an event
   * would stay "today" for ever.
   */
  futureMsMax: 24 * 60 * 60 * 1000,
} as const;

/**
 * Why an event was rejected. A closed set: producers and the CLI print the codes, tests name each.
 */
export const RejectionCode = Type.Union([
  Type.Literal('not_an_event'),
  Type.Literal('unknown_type'),
  Type.Literal('unknown_version'),
  Type.Literal('schema'),
  Type.Literal('time_in_future'),
  Type.Literal('too_large'),
]);
export type RejectionCode = Static<typeof RejectionCode>;

export const Rejection = Type.Object({
  /** Index within the batch, from 0. */
  index: Count,
  code: RejectionCode,
  /**
   * JSON pointer of the invalid field, e.g. `/data/spend/inputTokens`; empty for the whole event.
   */
  field: Type.String(),
  message: Type.String(),
});
export type Rejection = Static<typeof Rejection>;

/**
 * The answer (HTTP 200) to every body that parses. Every event not listed in `rejected` is stored
 * durably by then; rejected ones are kept as dead letters.
 */
export const Ack = Type.Object(
  {
    accepted: Count,
    duplicates: Count,
    expired: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Older than the floor of the history that was deleted on purpose; not counted again.',
    }),
    rejected: Type.Array(Rejection),
    unknown: Type.Optional(
      Type.Array(Type.Enum(['duplicates', 'expired']), {
        description:
          'Counts that this collector cannot know: a gateway hands events on, and the log tells ' +
          'them apart later. They are 0 here, and such events are in `accepted`.',
      }),
    ),
  },
  {
    title: 'Ack',
    examples: [
      {
        accepted: 98,
        duplicates: 1,
        expired: 0,
        rejected: [
          {
            index: 7,
            code: 'schema',
            field: '/data/spend/inputTokens',
            message: 'must be integer',
          },
        ],
      },
    ],
  },
);
export type Ack = Static<typeof Ack>;
