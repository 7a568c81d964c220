/**
 * `GET /openapi.json`: the API's own description, made from the routes' schemas.
 *
 * It is made when it is first asked for, on an application that only has the routes' descriptions: the generator would cost every start, and
 * every report, 100 ms.
 */
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { ErrorAnswer } from './error-answer.ts';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>;

/** Before the routes that it is to describe. */
export function addOpenApi(app: FastifyInstance, info: ApiDescription): void {
  const routes: DescribedRoute[] = [];
  let document: Promise<object> | undefined;

  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema !== undefined) routes.push({ method, url, schema });
  });
  app.get('/openapi.json', async () => {
    document ??= describe(routes, info);
    return document;
  });
}

async function describe(routes: readonly DescribedRoute[], info: ApiDescription): Promise<object> {
  const [{ default: Fastify }, { default: swagger }] = await Promise.all([import('fastify'), import('@fastify/swagger')]);
  const described = Fastify({ exposeHeadRoutes: false });
  await described.register(swagger, { openapi: { openapi: '3.1.0', info } });
  for (const { method, url, schema = {} } of routes) {
    if (method !== 'HEAD') described.route({ method, url, schema: withErrors(schema), handler: async () => undefined });
  }
  described.setValidatorCompiler(() => () => true);
  described.setSerializerCompiler(() => JSON.stringify);
  await described.ready();
  const document = described.swagger();
  await described.close();
  return document;
}

function withErrors(schema: FastifySchema): FastifySchema {
  return { ...schema, response: { '4xx': ErrorAnswer, ...(schema.response as object | undefined) } };
}
