/** Columns of what was spent, for every table that has them. */
import { tokenMeasures } from '../spend-shape.ts';
import type { ColumnOf } from './columns.ts';
import type { UsageFigures } from './usage.ts';

/** Kinds of billing stand side by side, and are never added up. */
export const amountColumns = [
  { key: 'metered', title: 'metered', is: 'amount', billing: 'metered' },
  { key: 'subscription', title: 'subscription', is: 'amount', billing: 'subscription' },
  { key: 'unknown', title: 'billing unknown', is: 'amount', billing: 'unknown' },
] as const satisfies readonly ColumnOf<UsageFigures>[];

export const tokensColumn = {
  key: 'tokens',
  title: 'tokens',
  is: 'tokens',
  of: tokenMeasures,
} as const satisfies ColumnOf<UsageFigures>;

/** The part of what was sent that came from the cache. */
export const cacheColumn = {
  key: 'fromCache',
  title: 'cache',
  is: 'share',
  part: 'cacheReadTokens',
  of: ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens'],
} as const satisfies ColumnOf<UsageFigures>;
