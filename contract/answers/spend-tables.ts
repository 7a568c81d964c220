/** Tables of figures of spend that no single question has. The page needs none of them. */
import { tableOf } from './columns.ts';
import {
  amountColumns,
  cacheColumn,
  recordsColumn,
  tokenColumns,
  tokensColumn,
} from './spend-columns.ts';
import type { UsageFigures } from './usage/schema.ts';

export const amountTable = tableOf<UsageFigures>()(amountColumns);

/** The table of whatever has figures of spend. */
export const spendTable = tableOf<UsageFigures>()([
  ...amountColumns,
  tokensColumn,
  { ...cacheColumn, drops: 2 },
  recordsColumn,
  ...tokenColumns,
]);

/** Few figures beside names. */
export const figureTable = tableOf<UsageFigures>()([
  ...amountColumns,
  tokensColumn,
  { ...cacheColumn, drops: 1 },
]);
