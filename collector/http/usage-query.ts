/** What reports over the rollup `usage` can be narrowed by. */
import { groupings } from '@pi-ledger/contract/groupings';
import { type Static, Type } from 'typebox';
import type { Condition } from '../views/views.ts';
import { filterConditions } from './conditions.ts';
import { type Filters, filterParameters, periodParameters } from './parameters.ts';

export const usageParameters = {
  by: Type.Optional(Type.Enum([...groupings], { default: 'project' })),
  session: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100, description: 'Only these sessions.' })),
  ...filterParameters,
  ...periodParameters,
};

const UsageQuery = Type.Object(usageParameters);
export type UsageQuery = Static<typeof UsageQuery>;

const usageColumns = {
  project: 'project',
  branch: 'branch',
  user: 'user',
  machine: 'machine',
  host: 'host',
  provider: 'provider',
  model: 'model',
  kind: 'kind',
} as const satisfies { [name in keyof Filters]: string };

/** All but the period. */
export function usageFilters(query: UsageQuery): Condition[] {
  const { session } = query;
  return [
    ...filterConditions(query, usageColumns),
    ...(session === undefined ? [] : [{ column: 'session', is: 'in' as const, values: session }]),
  ];
}
