/** Columns of what was spent, for every table that has them. */
import { tokenMeasures } from '../spend-shape.ts';
import type { ColumnOf } from './columns.ts';
import type { UsageFigures } from './usage/schema.ts';

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

export const recordsColumn = {
  key: 'records',
  title: 'records',
  is: 'count',
  of: 'records',
  drops: 4,
} as const satisfies ColumnOf<UsageFigures>;

const command = ['command'] as const;

/** What a wide terminal has room for. */
export const tokenColumns = [
  { key: 'input', title: 'input', is: 'tokens', of: ['inputTokens'], drops: 5, in: command },
  { key: 'output', title: 'output', is: 'tokens', of: ['outputTokens'], drops: 3, in: command },
  {
    key: 'read',
    title: 'cache read',
    is: 'tokens',
    of: ['cacheReadTokens'],
    drops: 7,
    in: command,
  },
  {
    key: 'write',
    title: 'cache write',
    is: 'tokens',
    of: ['cacheWriteTokens'],
    drops: 8,
    in: command,
  },
  {
    key: 'reasoning',
    title: 'reasoning',
    is: 'tokens',
    of: ['reasoningTokens'],
    drops: 9,
    in: command,
  },
] as const satisfies readonly ColumnOf<UsageFigures>[];
