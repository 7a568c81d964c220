/** What the API's document says of a route beside the schemas that Fastify applies. Pure. */
import { ErrorAnswer } from '@pi-ledger/contract/answers';
import type { FastifySchema } from 'fastify';
import type { GuardedRoute } from '../access.ts';

type Responses = Readonly<Record<string, object>>;
type Content = Readonly<Record<string, { readonly schema: object }>>;

/** Its errors, the formats of its lists, and the bodies that it checks itself. */
export function documented(schema: FastifySchema, { bodies }: GuardedRoute): FastifySchema {
  const responses = { ...(schema.response as Responses | undefined) };
  if (isListIn(schema)) responses[200] = inEveryFormat(responses[200] ?? {});
  return {
    ...schema,
    ...(bodies === undefined ? {} : { body: { content: contentOf(bodies) } }),
    response: { '4xx': ErrorAnswer, 503: ErrorAnswer, ...responses },
  };
}

/** Whoever may choose a format may have rows alone. */
function isListIn({ querystring }: FastifySchema): boolean {
  const { properties = {} } = (querystring ?? {}) as { properties?: object };
  return 'format' in properties;
}

function inEveryFormat(answer: object): object {
  const rows = { schema: { type: 'string' } };
  const content: Content = {
    'application/json': { schema: answer },
    'text/csv': rows,
    'application/x-ndjson': rows,
  };
  return { description: 'As asked: JSON, or its rows alone', content };
}

function contentOf(bodies: Readonly<Record<string, object>>): Content {
  return Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, { schema }]));
}
