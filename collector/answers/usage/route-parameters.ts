/** Parameters of routes that report usage. */
import { groupingsText } from '@pi-ledger/contract/groupings';
import { Type } from 'typebox';
import {
  AnyOf,
  filterParameters,
  labelParameter,
  periodParameters,
} from '../../http/parameters.ts';

export const usageParameters = {
  by: Type.Optional(
    Type.String({
      maxLength: 200,
      default: 'project',
      description: `One or more, separated by commas (\`user,day\`), of: ${groupingsText}.`,
    }),
  ),
  agentKind: AnyOf('the kind of agent (main, subagent)'),
  agent: AnyOf('the agent'),
  thinking: AnyOf('the thinking level'),
  costSource: AnyOf('the source of the cost (provider, catalog, unpriced)'),
  stopReason: AnyOf('the stop reason'),
  ...labelParameter,
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
