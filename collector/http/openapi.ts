/**
 * `GET /openapi.json`: the API's own description, made from the routes' schemas.
 *
 * It is made when it is first asked for, on an application that only has the routes' descriptions: the generator would cost every start, and
 * every report, 100 ms.
 */
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { RouteScope } from '../auth/access.ts';
import type { GuardedRoute } from './access.ts';
import { ErrorAnswer } from './error-answer.ts';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** Behind `addAccess`, which knows the routes and what they ask for. */
export function addOpenApi(app: FastifyInstance, info: ApiDescription): void {
  let document: Promise<object> | undefined;

  app.get('/openapi.json', { config: { scope: 'read' } }, async () => {
    document ??= describe(app.routeList, info);
    return document;
  });
}

async function describe(routes: readonly GuardedRoute[], info: ApiDescription): Promise<object> {
  const [{ default: Fastify }, { default: swagger }] = await Promise.all([import('fastify'), import('@fastify/swagger')]);
  const described = Fastify({ exposeHeadRoutes: false });
  await described.register(swagger, { openapi: { openapi: '3.1.0', info, components: { securitySchemes } } });
  for (const { method, url, schema, scope } of routes) {
    if (schema === undefined || method === 'HEAD') continue;
    described.route({ method, url, schema: { ...withErrors(schema), security: securityOf(scope) }, handler: async () => undefined });
  }
  described.setValidatorCompiler(() => () => true);
  described.setSerializerCompiler(() => JSON.stringify);
  await described.ready();
  const document = described.swagger();
  await described.close();
  return document;
}

/** Where tokens are asked for. */
const securitySchemes = { token: { type: 'http', scheme: 'bearer' } } as const;

/** Managing tokens is a part of `admin`. */
function securityOf(scope: RouteScope): Record<string, string[]>[] {
  return scope === 'public' ? [] : [{ token: [scope === 'tokens' ? 'admin' : scope] }];
}

function withErrors(schema: FastifySchema): FastifySchema {
  return { ...schema, response: { '4xx': ErrorAnswer, ...(schema.response as object | undefined) } };
}
