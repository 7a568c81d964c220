import { tableOf } from '../columns.ts';
import type { ToolCostRow } from './costs-schema.ts';
import type { ToolModelRow } from './models-schema.ts';
import type { ToolRow } from './schema.ts';

export const toolTable = tableOf<ToolRow>()([
  { key: 'tool', title: 'tool', is: 'name', of: 'tool' },
  { key: 'calls', title: 'calls', is: 'count', of: 'calls' },
  { key: 'failed', title: 'failed', is: 'count', of: 'failures' },
  { key: 'p50', title: 'p50', is: 'percentile', of: 'durationP50', drops: 1 },
  { key: 'range', title: 'p50 to p95', is: 'own', drops: 3, in: ['page'] },
  { key: 'p95', title: 'p95', is: 'percentile', of: 'durationP95' },
  {
    key: 'tokens',
    title: 'result tokens',
    heading: 'tokens',
    is: 'tokens',
    drops: 2,
    of: ['resultTokensEstimated'],
    isEstimated: true,
  },
  { key: 'tokensBar', title: 'result tokens, as a bar', is: 'own', drops: 3, in: ['page'] },
  { key: 'mean', title: 'mean', is: 'own', align: 'right', drops: 2, in: ['page'] },
  { key: 'files', title: 'files named', heading: 'files', is: 'count', of: 'namedFiles', drops: 3 },
]);

const tool = { key: 'tool', title: 'tool', is: 'name', of: 'tool' } as const;
const costs = [
  { key: 'metered', title: 'metered', is: 'callCost', billing: 'metered' },
  { key: 'subscription', title: 'subscription', is: 'callCost', billing: 'subscription' },
  { key: 'unknown', title: 'billing unknown', is: 'callCost', billing: 'unknown' },
  { key: 'calls', title: 'calls', is: 'count', of: 'calls' },
  { key: 'tokens', title: 'tokens', is: 'tokens', of: ['tokens'], drops: 1 },
  { key: 'lastDay', title: 'last used', is: 'day', of: 'lastDay', drops: 2 },
] as const;

export const toolCostTable = tableOf<ToolCostRow>()([tool, ...costs]);

export const toolModelTable = tableOf<ToolModelRow>()([
  tool,
  { key: 'model', title: 'model', is: 'name', of: 'model', widthKept: 12 },
  ...costs,
  { key: 'provider', title: 'provider', is: 'name', of: 'provider', drops: 3 },
]);
