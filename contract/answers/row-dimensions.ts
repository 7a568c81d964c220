import { type SpendDimension, spendDimensions } from '../spend-shape.ts';

export type RowDimension = Exclude<SpendDimension, 'day' | 'billing'>;

/** What rows of usage can be split by, beside day and billing. */
export const rowDimensions = spendDimensions.filter(
  (name): name is RowDimension => name !== 'day' && name !== 'billing',
);
