/**
 * Names of the figures of spend that are one value, in the order of the CSV's columns. Without
 * schemas, so that a command that adds figures up loads no library for them.
 */
import { tokenMeasures } from '../spend-shape.ts';
import { amountNames } from './billings.ts';

export const flatFigureNames = [
  'records',
  ...tokenMeasures,
  'reasoningTokens',
  amountNames.metered,
  amountNames.subscription,
  amountNames.unknown,
  'unpricedRecords',
  'unreportedRecords',
  'unreportedTokensMax',
  'unreportedNanoUsdMax',
  'packageRequests',
  'streamedAnswers',
] as const;
export type FlatFigureName = (typeof flatFigureNames)[number];
