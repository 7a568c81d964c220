import { tableOf } from '../columns.ts';
import type { Compaction } from './schema.ts';

const command = ['command'] as const;
const page = ['page'] as const;
const widthMax = 24;

/** A summary's cost, which billing is of: three columns of a command, two of the page. */
export const compactionTable = tableOf<Compaction>()([
  { key: 'id', title: 'id', is: 'id', of: 'id', in: command },
  { key: 'when', title: 'when', is: 'time', of: 'time', drops: 1 },
  { key: 'metered', title: 'metered', is: 'charge', billing: 'metered', in: command },
  {
    key: 'subscription',
    title: 'subscription',
    is: 'charge',
    billing: 'subscription',
    in: command,
  },
  { key: 'unknown', title: 'billing unknown', is: 'charge', billing: 'unknown', in: command },
  { key: 'summaryCost', title: 'summary cost', is: 'own', align: 'right', in: page },
  { key: 'billing', title: 'billing', is: 'name', of: 'billing', drops: 3, in: page },
  { key: 'net', title: 'net', is: 'own', align: 'right' },
  { key: 'saved', title: 'saved', is: 'own', align: 'right', drops: 2, in: command },
  { key: 'readAgain', title: 're-read', is: 'count', of: 'regretReads', isBlank: true, drops: 3 },
  { key: 'project', title: 'project', is: 'name', of: 'project', widthMax, drops: 4 },
  { key: 'session', title: 'session', is: 'id', of: 'session', widthMax, drops: 10 },
  { key: 'what', title: 'what', is: 'own', widthMax, drops: 5, in: command },
  { key: 'before', title: 'before', is: 'count', of: 'tokensBefore', isBlank: true, drops: 6 },
  { key: 'range', title: 'tokens', is: 'own', drops: 5, in: page },
  { key: 'after', title: 'after', is: 'count', of: 'tokensAfterMeasured', drops: 7 },
  {
    key: 'trigger',
    title: 'trigger',
    is: 'name',
    of: 'trigger',
    isBlank: true,
    widthMax,
    drops: 8,
    in: command,
  },
  { key: 'model', title: 'model', is: 'name', of: 'model', isBlank: true, widthMax, drops: 9 },
  { key: 'turnsAfter', title: 'turns after', is: 'count', of: 'turnsAfter', drops: 9, in: page },
  {
    key: 'took',
    title: 'took',
    is: 'duration',
    of: 'durationMs',
    isBlank: true,
    drops: 11,
    in: command,
  },
]);
