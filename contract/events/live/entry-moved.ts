import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Name, Nullable } from '../../fields.ts';
import { Ownership } from '../../ownership.ts';

/**
 * An entry that the log has under one session belongs to another, which has the better claim. The
 * log keeps the event as it first came, and the collector records with two of these events that it
 * counts elsewhere. Only a collector writes it; from a producer it is rejected.
 */
export const entryMoved = defineEventType({
  type: 'pi.entry.moved.v1',
  basis: 'live',
  data: Type.Object({
    /** Id of the entry's event in the log. */
    eventId: Type.String({ minLength: 1, maxLength: 100 }),
    /**
     * `in`: the subject owns it from here on; `out`: no longer; `stay`: it owned it before, and the
     * source is now more certain.
     */
    role: Type.Union([Type.Literal('in'), Type.Literal('out'), Type.Literal('stay')]),
    /**
     * How certain the subject's ownership is; null: the entry is in the session's own file, or was
     * recorded live.
     */
    ownership: Nullable(Ownership),
    /** What counts, or no longer counts: type and data of the entry's event. */
    event: Type.Object({ type: Name, data: Type.Object({}) }),
  }),
  example: {
    eventId: '0199f3c1-4e98-8558-86d4-eb9c5b8bce66',
    role: 'in',
    ownership: null,
    event: { type: 'pi.turn.completed.v1', data: {} },
  },
});
