import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, Name } from '../../fields.ts';

/**
 * What a producer could not record, cumulative since its process started. A dropped event has no
 * sequence number, so gaps in the sequence always mean loss after the spool.
 */
export const producerReported = defineEventType({
  type: 'pi.producer.reported.v1',
  basis: 'live',
  data: Type.Object({
    producerVersion: Name,
    dropped: Type.Object({
      /** The spool's limit was reached. */
      spoolFull: Count,
      /** The file system refused (disk full, permissions). */
      spoolUnwritable: Count,
      /** One event was larger than the limit. */
      eventTooLarge: Count,
      /** The recorder could not read a payload. */
      recordFailed: Count,
    }),
    spoolBytes: Count,
  }),
  example: {
    producerVersion: '0.1.0',
    dropped: { spoolFull: 12, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 },
    spoolBytes: 268_435_456,
  },
});
