/**
 * The HTTP application: the routes it is given, its limits and its headers. A collector calls
 * `listen`; a command without a running collector calls `inject`.
 *
 * Contract: no request makes it throw or grow without bound; every error is answered as `{code,
 * message, field?}` without internal details. `close` waits for requests in progress.
 */
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { addAccess, type ServerAccess } from './access.ts';
import { addAnswersInHand, createAnswersInHand } from './answers-in-hand.ts';
import { boundConnections, connectionTimes } from './connections.ts';
import { addCompression } from './encoding.ts';
import { addErrorAnswers, answerError } from './error-answer.ts';
import { addOneAtATime } from './one-at-a-time.ts';
import { addOpenApi } from './openapi/route.ts';
import { parameterCompiler } from './parameter-check.ts';
import type { RouteGroup } from './route-group.ts';
import { schemaController } from './schema-controller.ts';
import { addSecurity, securityHeaders } from './security.ts';
import { createUnreadable } from './unreadable.ts';

export interface ServerOptions {
  readonly routes: readonly RouteGroup[];
  readonly version: string;
  readonly access: ServerAccess;
  /** PEM; null: plain HTTP. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** When it is null, nothing is logged. */
  readonly logger: FastifyBaseLogger | null;
  /** What is said of paths without a route, where there is more to say than that. */
  readonly nothingHere?: string;
}

/** For bodies other than events, which have their own limits (events/body.ts). */
const bodyBytesMax = 64 * 1024;
const connectionsMax = 128;
/** Each agent opens one for each batch; some idle until their timeout. */
const connectionsOfTeamMax = 2_048;
const idleMsMax = 65_000;

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { access, version, logger } = options;
  const unreadable = createUnreadable();
  const app = Fastify({
    ...(logger === null ? {} : { loggerInstance: logger }),
    bodyLimit: bodyBytesMax,
    requestTimeout: connectionTimes.requestTimeout,
    keepAliveTimeout: idleMsMax,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers(securityHeaders)),
    clientErrorHandler: unreadable.answer,
    schemaController: schemaController(parameterCompiler),
    ...(options.tls === null
      ? { http: connectionTimes }
      : { https: { ...connectionTimes, ...options.tls } }),
  });
  boundConnections(app.server, access.mode === 'tokens' ? connectionsOfTeamMax : connectionsMax);
  unreadable.watch(app.server);
  addOneAtATime(app);
  addSecurity(app, access.hosts);
  const nowhere = addErrorAnswers(app, options.nothingHere);
  const limits = await addAccess(app, access);
  const answers = createAnswersInHand();
  addAnswersInHand(app, answers);
  addCompression(app);
  addOpenApi(app, { title: 'pi-ledger', version, description });
  for (const group of options.routes)
    await app.register((scope) => group(scope, { access, limits, answers, nowhere }));
  await app.ready();
  return app;
}

const description =
  'Every token, dollar and compaction of your pi agents. Money is in 10^-9 USD, as decimal ' +
  'strings; every list is paged.';
