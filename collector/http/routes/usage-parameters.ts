/** Parameters of routes that report usage. */
import { groupings } from '@pi-ledger/contract/groupings';
import { Type } from 'typebox';
import { filterParameters, periodParameters } from '../parameters.ts';

export const usageParameters = {
  by: Type.Optional(Type.Enum([...groupings], { default: 'project' })),
  session: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Only these sessions.',
    }),
  ),
  ...filterParameters,
  ...periodParameters,
};
