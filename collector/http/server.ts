/**
 * The HTTP application: every route, its bounds and its headers. It listens nowhere by itself: a
 * collector calls `listen`, a command without a running collector calls `inject`.
 *
 * Contract: no request makes it throw or grow without bound; every answer that is an error is
 * `{code, message, field?}` and shows nothing of the inside. `close` lets the requests finish that
 * are under way.
 */
import type { Standing } from '@pi-ledger/contract/answers';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { RandomBytes } from '../auth/token-text.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Log } from '../log/log.ts';
import type { FoldRules } from '../projections/rules.ts';
import { createSessions } from '../projections/sessions.ts';
import { createSessionContexts } from '../queries/session-contexts/session-contexts.ts';
import type { Views } from '../views/views.ts';
import { addAccess, type ServerAccess } from './access.ts';
import { addAnswersInHand, createAnswersInHand } from './answers-in-hand.ts';
import { boundConnections, connectionTimes } from './connections.ts';
import { addErrorAnswers, answerError } from './error-answer.ts';
import { parameterCompiler } from './parameter-check.ts';
import { compactionRoutes } from './routes/compactions.ts';
import { contextRoutes } from './routes/context.ts';
import { deadLetterRoutes } from './routes/dead-letters.ts';
import { eventRoutes } from './routes/events.ts';
import { type FullHealth, healthRoutes } from './routes/health.ts';
import { logRoutes } from './routes/log.ts';
import { addOpenApi } from './routes/openapi.ts';
import { producerRoutes } from './routes/producers.ts';
import { proofRoutes } from './routes/proof.ts';
import { type Rebuild, rebuildRoutes } from './routes/rebuild.ts';
import { repriceRoutes } from './routes/reprice.ts';
import { type SealRoutesOptions, sealRoutes } from './routes/seal.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { standingRoutes } from './routes/standing.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { usageRoutes } from './routes/usage.ts';
import { addSecurity } from './security.ts';

export interface ServerOptions {
  readonly ingest: Ingest;
  readonly log: Log;
  readonly views: Views;
  /** Those that the views are folded with. */
  readonly rules: FoldRules;
  readonly version: string;
  readHealth(): Promise<FullHealth>;
  readStanding(): Promise<Standing>;
  /**
   * Before a view is asked: so that an answer knows of everything that was acknowledged before.
   * Never rejects, and gives up after a while.
   */
  settleViews(): Promise<void>;
  readonly rebuild: Rebuild;
  readonly sealing: SealRoutesOptions;
  readonly access: ServerAccess;
  readonly random: RandomBytes;
  /** PEM; null: plain HTTP. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Where the log lines go (JSON, one per line); null: nowhere. */
  readonly logStream: { write(line: string): void } | null;
}

/** Of bodies that are not events: those have bounds of their own (event-body.ts). */
const bodyBytesMax = 64 * 1024;
const connectionsMax = 128;
/** A new one for each batch of each agent, and some that only hang on until their time is over. */
const connectionsOfTeamMax = 2_048;
const idleMsMax = 65_000;

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { ingest, views, version, logStream, access } = options;
  const folded = createSessions(options.rules);
  const contexts = createSessionContexts(views);
  const app = Fastify({
    logger: logStream === null ? false : { level: 'warn', stream: logStream },
    bodyLimit: bodyBytesMax,
    requestTimeout: connectionTimes.requestTimeout,
    keepAliveTimeout: idleMsMax,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: answerError,
    schemaController,
    ...(options.tls === null
      ? { http: connectionTimes }
      : { https: { ...connectionTimes, ...options.tls } }),
  });
  boundConnections(app.server, access.mode === 'tokens' ? connectionsOfTeamMax : connectionsMax);
  addSecurity(app, access.hosts);
  addErrorAnswers(app);
  const limits = await addAccess(app, access);
  const answers = createAnswersInHand();
  addAnswersInHand(app, answers);
  addOpenApi(app, { title: 'pi-ledger', version, description });
  await app.register(eventRoutes(ingest));
  await app.register(deadLetterRoutes(ingest));
  await app.register(logRoutes(options.log, answers));
  await app.register(async (viewing) => {
    viewing.addHook('preHandler', () => options.settleViews());
    await viewing.register(usageRoutes({ views, sessions: folded }));
    await viewing.register(repriceRoutes({ log: options.log, views, sessions: folded }));
    await viewing.register(sessionRoutes(views));
    await viewing.register(contextRoutes({ views, contexts }));
    await viewing.register(compactionRoutes({ views, contexts, log: options.log }));
    await viewing.register(producerRoutes(views, ingest));
  });
  await app.register(rebuildRoutes(options.rebuild));
  await app.register(sealRoutes(options.sealing));
  await app.register(tokenRoutes({ ...access, random: options.random }));
  await app.register(proofRoutes({ ...access, limits }));
  await app.register(standingRoutes(() => options.readStanding()));
  await app.register(healthRoutes(() => options.readHealth()));
  await app.ready();
  return app;
}

/**
 * Schemas are checked by the library that they are written with; Fastify then loads neither Ajv nor
 * its serializer (150 ms of the start, 10 MB). Its types know Ajv's compilers only.
 */
const schemaController = {
  compilersFactory: {
    buildValidator: () => parameterCompiler,
    buildSerializer: () => () => JSON.stringify,
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

const description =
  'Every token, dollar and compaction of your pi agents. Money is in 10^-9 USD, as decimal strings; every list is paged.';
