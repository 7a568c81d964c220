import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count } from '../../fields.ts';

/**
 * A part of what remains of deliberately deleted events: what the projections had computed from
 * them. Only a collector writes it; from a producer it is rejected.
 *
 * A seal counts once its last part is there, and takes effect when the log says so. The contents of
 * all parts, joined in order, are gzip of JSON lines (collector/seal/content.ts).
 */
export const historySealed = defineEventType({
  type: 'pi.history.sealed.v1',
  basis: 'live',
  data: Type.Object({
    /** The same in all parts. */
    sealId: Type.String({ minLength: 1, maxLength: 100 }),
    /** Events whose ids have an earlier time are deleted. ms since 1970. */
    floorMs: Count,
    /** From 1, without gaps. The first part has no content: it marks where the log was divided. */
    part: Count,
    isLast: Type.Boolean(),
    /** Base64. */
    content: Type.String({ maxLength: 200_000 }),
  }),
  example: {
    sealId: '2f1c7a52-93b4-4c38-8a2a-0f6a5d1f3b77',
    floorMs: 1_767_225_600_000,
    part: 1,
    isLast: false,
    content: '',
  },
});
