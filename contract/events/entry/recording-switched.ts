import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, EntryId, Nullable } from '../../fields.ts';

/**
 * An entry of pi-ledger's own: the user paused the recording of the session (`/ledger pause`), or
 * resumed it. Nothing between the two is recorded, by anybody: this event says that it was there.
 */
export const recordingSwitched = defineEventType({
  type: 'pi.recording.switched.v1',
  basis: 'entry',
  data: Type.Object({
    entryId: EntryId,
    state: Type.Union([Type.Literal('paused'), Type.Literal('resumed')]),
    /** How many of the session's own entries were not recorded; null with `paused`. */
    entries: Nullable(Count),
  }),
  example: { entryId: '9d2f6c01', state: 'resumed', entries: 12 },
});
