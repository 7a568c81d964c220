import { Type } from 'typebox';
import { defineEventType } from '../event-type.ts';
import { Name, Nullable } from '../fields.ts';
import { Ownership } from '../ownership.ts';

/**
 * An entry that the log knows under one session is said to be another one's, who is the better
 * owner: the log keeps the event as it came first, and the collector says with two of these that it
 * counts elsewhere. Only a collector writes it; from a producer it is refused.
 */
export const entryMoved = defineEventType({
  type: 'pi.entry.moved.v1',
  basis: 'live',
  data: Type.Object({
    /** Of the entry's event, as the log has it. */
    eventId: Type.String({ minLength: 1, maxLength: 100 }),
    /**
     * `in`: the subject owns it from here on; `out`: not any more; `stay`: it did already, and now
     * one is more certain of that.
     */
    role: Type.Union([Type.Literal('in'), Type.Literal('out'), Type.Literal('stay')]),
    /**
     * How certain the subject's ownership is; null: it stands in the session's own file, or was
     * recorded live.
     */
    ownership: Nullable(Ownership),
    /** What counts, or does not any more: type and data of the entry's event. */
    event: Type.Object({ type: Name, data: Type.Object({}) }),
  }),
  example: {
    eventId: '0199f3c1-4e98-8558-86d4-eb9c5b8bce66',
    role: 'in',
    ownership: null,
    event: { type: 'pi.turn.completed.v1', data: {} },
  },
});
