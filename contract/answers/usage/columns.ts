import { tableOf } from '../columns.ts';
import {
  amountColumns,
  cacheColumn,
  recordsColumn,
  tokenColumns,
  tokensColumn,
} from '../spend-columns.ts';
import type { UsageRow } from './schema.ts';

const [metered, subscription, unknown] = amountColumns;

/** What stands before it is what rows are by. */
export const usageTable = tableOf<UsageRow>()([
  metered,
  { key: 'change', title: 'change', is: 'own', align: 'right', drops: 2, in: ['page'] },
  { key: 'percent', title: '%', is: 'own', align: 'right', drops: 1, in: ['page'] },
  subscription,
  unknown,
  tokensColumn,
  { ...cacheColumn, drops: 2 },
  {
    key: 'last',
    title: 'last',
    is: 'day',
    of: 'lastDay',
    align: 'right',
    drops: 1,
    in: ['command'],
  },
  {
    key: 'sessions',
    title: 'sessions',
    is: 'count',
    of: 'sessions',
    drops: 3,
    in: ['command', 'page'],
  },
  {
    key: 'unpricedRecords',
    title: 'unpriced',
    is: 'count',
    of: 'unpricedRecords',
    drops: 4,
    in: ['page', 'grafana'],
  },
  {
    key: 'unreportedRecords',
    title: 'unreported',
    is: 'count',
    of: 'unreportedRecords',
    drops: 4,
    in: ['page', 'grafana'],
  },
  { ...recordsColumn, in: ['command', 'page'] },
  ...tokenColumns,
]);
