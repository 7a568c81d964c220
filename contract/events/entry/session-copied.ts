import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, Name } from '../../fields.ts';

/**
 * Another session's file contains copies of this session's entries (a fork, a clone, a branch); the
 * subject is the session that owns them. The entries themselves are recorded once, under their
 * owner; this event says where else they are.
 */
export const sessionCopied = defineEventType({
  type: 'pi.session.copied.v1',
  basis: 'entry',
  data: Type.Object({
    copySessionId: Name,
    entries: Count,
    /** Those of them that carry spend. */
    spendEntries: Count,
    /**
     * The file of an ancestor is missing, so the owner is the oldest ancestor still known, which
     * may be younger than the entries.
     */
    ownerAssumed: Type.Boolean(),
  }),
  example: {
    copySessionId: '01a1fff5-4e98-7558-86d4-eb9c5b8bce66',
    entries: 21,
    spendEntries: 8,
    ownerAssumed: false,
  },
});
