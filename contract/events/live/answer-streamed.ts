import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { exampleSpend, Spend } from '../../spend.ts';

/**
 * An answer that a host printed (an event stream, as of `pi --mode json`), as an import found it.
 * It counts as a record of unknown cost while nothing else tells of its session: no file of it, and
 * no live record. `time` is when it was asked for.
 *
 * The id is computed from session, time, response and usage, so that a stream under two names, or
 * one that has grown, tells of each answer once.
 */
export const answerStreamed = defineEventType({
  type: 'pi.answer.streamed.v1',
  basis: 'live',
  data: Type.Object({
    /** What the host printed of it. It is in no sum of tokens or amounts. */
    printed: Spend,
  }),
  example: { printed: exampleSpend },
});
