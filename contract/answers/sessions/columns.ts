import { tableOf } from '../columns.ts';
import {
  amountColumns,
  cacheColumn,
  recordsColumn,
  tokenColumns,
  tokensColumn,
} from '../spend-columns.ts';
import type { Session } from './schema.ts';

const command = ['command'] as const;
const page = ['page'] as const;
const charts = ['page', 'grafana'] as const;

export const sessionTable = tableOf<Session>()([
  { key: 'session', title: 'session', is: 'id', of: 'id' },
  {
    key: 'relation',
    title: 'relation',
    is: 'own',
    widthMax: 24,
    widthKept: 9,
    drops: 1,
    in: command,
  },
  { key: 'project', title: 'project', is: 'name', of: 'project', widthMax: 28, widthKept: 14 },
  { key: 'branch', title: 'branch', is: 'name', of: 'branch', in: ['grafana'] },
  ...amountColumns,
  { ...tokensColumn, in: command },
  { ...cacheColumn, drops: 2, in: command },
  {
    key: 'lastSeen',
    title: 'last seen',
    is: 'time',
    of: 'lastSeenAt',
    isDay: true,
    in: ['command', 'page'],
  },
  { key: 'began', title: 'began', is: 'time', of: 'startedAt', drops: 14, in: charts },
  { key: 'lasted', title: 'lasted', is: 'own', align: 'right', drops: 3, in: page },
  { key: 'user', title: 'user', is: 'name', of: 'user', isBlank: true, drops: 10 },
  { key: 'host', title: 'host', is: 'name', of: 'host', isBlank: true, drops: 11, in: command },
  {
    key: 'prompts',
    title: 'prompts',
    is: 'count',
    of: 'prompts',
    isBlank: true,
    drops: 12,
    in: command,
  },
  { key: 'turns', title: 'turns', is: 'count', of: 'turns', isBlank: true, drops: 13 },
  {
    key: 'compactions',
    title: 'compactions',
    is: 'count',
    of: 'compactions',
    drops: 13,
    in: charts,
  },
  { key: 'ofThreshold', title: 'of threshold', is: 'own', align: 'right', drops: 14, in: page },
  { ...recordsColumn, in: command },
  ...tokenColumns,
]);
