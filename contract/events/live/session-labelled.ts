import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { LabelChange } from '../../fields.ts';

/**
 * The user labelled the session (`/ledger label ticket=ABC-12`). The labels hold from this event's
 * time on, or for all of the session. A label of `pi.records.labelled.v1` wins over one of these,
 * and one of these over a rule's.
 */
export const sessionLabelled = defineEventType({
  type: 'pi.session.labelled.v1',
  basis: 'live',
  data: Type.Object({
    labels: LabelChange,
    /** For all of the session, until a later event says otherwise for its own time. */
    whole: Type.Boolean(),
  }),
  example: { labels: { ticket: 'ABC-12', team: null }, whole: false },
});
