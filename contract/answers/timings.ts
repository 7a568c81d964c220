/** Durations in answers. */
import { Type } from 'typebox';
import { type AnswerOf, OrNull } from './fields.ts';

export const Percentile = Type.Object(
  {
    ms: Type.Number(),
    is: Type.Enum(['interpolated', 'at least']),
  },
  {
    title: 'Percentile',
    description:
      'From the counts of a histogram: interpolated within its bucket, or at least its last bound.',
    examples: [{ ms: 9_130.5, is: 'interpolated' }],
  },
);
export type Percentile = AnswerOf<typeof Percentile>;

export const PercentileOrNull = OrNull(Percentile, 'Null: nothing was measured.');
