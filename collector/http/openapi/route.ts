/**
 * `GET /openapi.json`: the description of the API, made from the routes' schemas and the contract's
 * answers.
 *
 * It is made on first use, in an application that has only the routes' descriptions: the generator
 * would cost every start and every report 100 ms.
 */
import type { FastifyInstance } from 'fastify';
import type { RouteScope } from '../../auth/access.ts';
import type { GuardedRoute } from '../access.ts';
import { takeComponents } from './components.ts';
import { documented } from './documented.ts';

export interface ApiDescription {
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
  const described = Fastify({ exposeHeadRoutes: false });
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
    return [{ method, url, schema: { ...schema, security: securityOf(scope) } }];
  });
  for (const component of components.values()) described.addSchema(component);
  for (const operation of operations)
    described.route({ ...operation, handler: async () => undefined });
  described.setValidatorCompiler(() => () => true);
  described.setSerializerCompiler(() => JSON.stringify);
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
function securityOf(scope: RouteScope): Record<string, string[]>[] {
  return scope === 'public' ? [] : [{ token: [scope === 'tokens' ? 'admin' : scope] }];
}
