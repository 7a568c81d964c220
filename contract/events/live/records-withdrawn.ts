import { Type } from 'typebox';
import { Time } from '../../envelope.ts';
import { defineEventType } from '../../event-type.ts';
import { Name, Nullable } from '../../fields.ts';

/** What was received with a token in this time, by the collector's clock. */
const OfToken = Type.Object({
  /** The token's id. */
  id: Name,
  /** Inclusive. */
  since: Time,
  /** Exclusive. */
  until: Time,
});

/**
 * What is withdrawn: all that any of these names, but for what the ledger says of itself (seals,
 * withdrawals, budgets and their crossings).
 */
const WithdrawnRecords = Type.Object({
  /** Ids of events. The moves of such an entry to another session go with it. */
  events: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 1000 }),
  /** A session as a whole, whatever of it comes later. */
  session: Nullable(Name),
  token: Nullable(OfToken),
});

/**
 * An administrator took events back (`pi-ledger withdraw`): the log keeps them, and no view counts
 * them. The subject is `/withdrawals/<number>`: each cell of a ledger has one. Only a collector
 * writes it; from a producer it is rejected.
 */
export const recordsWithdrawn = defineEventType({
  type: 'pi.records.withdrawn.v1',
  basis: 'live',
  data: Type.Object({
    records: WithdrawnRecords,
    reason: Type.String({ minLength: 1, maxLength: 500 }),
    /** The user of the token that it was asked with; null for this machine's own commands. */
    by: Nullable(Name),
  }),
  example: {
    records: {
      events: ['0199f3c1-4e98-8558-86d4-eb9c5b8bce66'],
      session: null,
      token: null,
    },
    reason: 'sent by a program that made it up',
    by: 'ada',
  },
});
