import { tableOf } from '../columns.ts';
import type { Request } from './schema.ts';

const widthMax = 24;

export const requestTable = tableOf<Request>()([
  { key: 'when', title: 'when', is: 'time', of: 'time' },
  { key: 'session', title: 'session', is: 'id', of: 'session' },
  { key: 'model', title: 'model', is: 'name', of: 'model', widthMax, drops: 1 },
  { key: 'metered', title: 'metered', is: 'charge', billing: 'metered' },
  { key: 'subscription', title: 'subscription', is: 'charge', billing: 'subscription' },
  { key: 'unknown', title: 'billing unknown', is: 'charge', billing: 'unknown' },
  { key: 'answer', title: 'answer', is: 'own' },
  { key: 'took', title: 'took', is: 'duration', of: 'durationMs', drops: 2 },
  {
    key: 'firstToken',
    title: 'first',
    heading: 'first token',
    is: 'duration',
    of: 'firstTokenMs',
    drops: 4,
  },
  { key: 'sent', title: 'sent', is: 'tokens', of: ['sentTokens'], drops: 3 },
  { key: 'fromCache', title: 'from cache', is: 'tokens', of: ['cacheReadTokens'], drops: 5 },
  { key: 'output', title: 'output', is: 'tokens', of: ['outputTokens'], drops: 4 },
  { key: 'project', title: 'project', is: 'name', of: 'project', widthMax, drops: 3 },
  { key: 'turn', title: 'turn', is: 'count', of: 'turn', drops: 6, in: ['command'] },
  {
    key: 'provider',
    title: 'provider',
    is: 'name',
    of: 'provider',
    widthMax,
    drops: 7,
    in: ['command'],
  },
]);
