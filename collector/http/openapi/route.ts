/**
 * `GET /openapi.json`: the description of the API, made from the routes' schemas and the contract's
 * answers.
 *
 * It is made on first use, in an application that has only the routes' descriptions: the generator
 * would cost every start and every report 100 ms.
 */
import { ErrorAnswer } from '@pi-ledger/contract/answers';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { RouteScope } from '../../auth/access.ts';
import type { GuardedRoute } from '../access.ts';
import { schemaController } from '../schema-controller.ts';

interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** After `addAccess`, which collects the routes and their scopes. */
export function addOpenApi(app: FastifyInstance, info: ApiDescription): void {
  let document: Promise<object> | undefined;

  app.get('/openapi.json', { config: { scope: 'read', hidesSmallGroups: true } }, async () => {
    document ??= describe(app.routeList, info);
    return document;
  });
}

async function describe(routes: readonly GuardedRoute[], info: ApiDescription): Promise<object> {
  const [{ default: Fastify }, { default: swagger }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
  ]);
  const described = Fastify({
    exposeHeadRoutes: false,
    schemaController: schemaController(() => () => true),
  });
  await described.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { ...info, license },
      servers: [{ url: '/' }],
      tags,
      components: { securitySchemes },
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  const components = new Map<string, object>();
  const operations = routes.flatMap((route) => {
    const { method, url, scope } = route;
    if (route.schema === undefined || method === 'HEAD') return [];
    const schema = takeComponents(documented(route.schema, route), components);
    return [{ method, url, schema: { ...schema, security: describeSecurity(scope) } }];
  });
  for (const component of components.values()) described.addSchema(component);
  for (const operation of operations)
    described.route({ ...operation, handler: async () => undefined });
  await described.ready();
  const document = described.swagger();
  await described.close();
  return document;
}

const license = { name: 'MIT', identifier: 'MIT' };

const tags = [
  { name: 'views', description: 'Sums, sessions and lists made from the events.' },
  { name: 'events', description: 'What agents send, and what was rejected.' },
  { name: 'log', description: 'The stored events.' },
  { name: 'tokens', description: 'Who may do what.' },
  { name: 'health', description: 'Whether the collector works, and which one it is.' },
];

/** Only if tokens are required. */
const securitySchemes = { token: { type: 'http', scheme: 'bearer' } } as const;

/** `admin` includes managing tokens. */
function describeSecurity(scope: RouteScope): Record<string, string[]>[] {
  return scope === 'public' ? [] : [{ token: [scope === 'tokens' ? 'admin' : scope] }];
}

// Turns schemas with a title, at any depth, into named components and references. Pure.

/** Returns `json` with references, and adds the components to `into` by name. */
function takeComponents<Json>(json: Json, into: Map<string, object>): Json {
  return take(json, into) as Json;
}

function take(json: unknown, into: Map<string, object>): unknown {
  if (Array.isArray(json)) return json.map((item) => take(item, into));
  if (typeof json !== 'object' || json === null) return json;
  const { title } = json as { title?: unknown };
  const taken = Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      name === 'examples' ? value : take(value, into),
    ]),
  );
  if (typeof title !== 'string') return taken;
  into.set(title, { $id: title, ...taken });
  return { $ref: `${title}#` };
}

// What the API's document says of a route beside the schemas that Fastify applies. Pure.

type Responses = Readonly<Record<string, object>>;
type Content = Readonly<Record<string, { readonly schema: object }>>;

/** Its errors, the formats of its lists, and the bodies that it checks itself. */
function documented(schema: FastifySchema, { bodies }: GuardedRoute): FastifySchema {
  const responses = { ...(schema.response as Responses | undefined) };
  if (isListIn(schema)) responses[200] = inEveryFormat(responses[200] ?? {});
  return {
    ...schema,
    ...(bodies === undefined ? {} : { body: { content: describeContent(bodies) } }),
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

function describeContent(bodies: Readonly<Record<string, object>>): Content {
  return Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, { schema }]));
}
