/**
 * The composition root: the only file that knows every implementation.
 *
 * `openLedger` opens a store in this process, for commands; `startCollector` opens it and serves it
 * until it is told to stop.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { ensureHomeKey } from '@pi-ledger/extension/proof/home-key';
import { readOwner } from '@pi-ledger/extension/spool/owner';
import type { FastifyInstance } from 'fastify';
import { drawTokenText } from './auth/token-text.ts';
import type { CollectorConfig } from './config/config.ts';
import { LedgerError } from './errors.ts';
import { createServer } from './http/server.ts';
import { createIngest } from './ingest/ingest.ts';
import { createSpoolReader } from './ingest/spool-reader.ts';
import packageJson from './package.json' with { type: 'json' };
import { readCollectorFile, writeCollectorFile } from './process/collector-file.ts';
import { createHealthReader } from './process/health.ts';
import { accessOf, expectUsable, localUrlOf, readTls } from './process/serving.ts';
import { createStandingReader } from './process/standing.ts';
import { type Stopping, stopOnSignals } from './process/stop-signals.ts';
import { createProjections } from './projections/registry.ts';
import { noRules } from './projections/rules.ts';
import { createWriterWork, type WatchedSessions } from './roles/leader-tasks.ts';
import { startRole } from './roles/leadership.ts';
import type { Ledger } from './roles/ledger.ts';
import { readLogTime } from './seal/log-time.ts';
import { createSealer } from './seal/sealer.ts';
import { openStore, readStoreIdAt } from './stores/open-store.ts';
import type { Store } from './stores/store.ts';
import { createIdleSubscription } from './subscription/idle-subscription.ts';
import { createSubscription } from './subscription/subscription.ts';
import { createSwitchingSubscription } from './subscription/switching-subscription.ts';
import { within } from './timers/within.ts';

export interface Collector extends Stopping {
  readonly url: string;
}

export interface LedgerOptions {
  readonly now?: () => number;
  readonly random?: () => number;
  /** JSON lines of warnings and errors; null: none. */
  readonly logStream?: { write(line: string): void } | null;
  /**
   * With it others may ask, by the configuration's rules, and whoever shows it may do everything.
   * Absent: only this process asks.
   */
  readonly machineToken?: string;
}

export interface CollectorOptions extends LedgerOptions {
  /**
   * Imports session files from where hosts keep them, by this environment, unless the configuration
   * says no. Absent: never.
   */
  readonly sessions?: WatchedSessions;
}

/** Takes the right to write if it is free. Throws a LedgerError, or what the file system says. */
export async function openLedger(
  config: CollectorConfig,
  options: LedgerOptions = {},
): Promise<Ledger> {
  const background = createBackground();
  const store = await openStore(config.store, {
    now: options.now ?? Date.now,
    onError: background.report,
  });
  return assembleOrClose(config, store, background, options);
}

/**
 * The identity of the configured store, read without the right to write; null where there is none
 * yet. Throws as `openLedger` does.
 */
export async function readStoreId({ store }: CollectorConfig): Promise<string | null> {
  return readStoreIdAt(store);
}

/**
 * Stops on SIGTERM and SIGINT. Throws `store_locked`, `address_in_use`, `tokens_needed`, and what
 * `openLedger` throws.
 */
export async function startCollector(
  config: CollectorConfig,
  options: CollectorOptions = {},
): Promise<Collector> {
  const { now = Date.now, sessions } = options;
  const machineToken = drawTokenText(randomBytes);
  const ledger = await openLedger(config, { ...options, machineToken });
  try {
    // A file has one writer until that ends; only the collectors of a team stand by for each other.
    if (ledger.readOnly && config.store.kind === 'sqlite') throw lockedBy(config.home);
    await expectUsable(config, { tokens: ledger.tokens, now });
    await homeKeyReader(config.home, (error) =>
      ledger.app.log.error({ err: error }, 'while making home.key'),
    )();
    const url = await listen(ledger.app, config);
    const certFile = config.tls?.certFile ?? null;
    const withdraw = writeCollectorFile(config.home, {
      url,
      pid: process.pid,
      startedAtMs: now(),
      token: machineToken,
      certFile,
    });
    const onError = (error: unknown): void =>
      ledger.app.log.error({ err: error }, 'in the background');
    const work = createWriterWork({
      config,
      ledger,
      url,
      version: packageJson.version,
      sessions,
      now,
    });
    const role = startRole({ right: ledger.right, ...work, onError });
    const stopping = stopOnSignals(async () => {
      withdraw();
      await role.stop();
      await ledger.close();
    }, onError);
    return { url, ...stopping };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/**
 * Before a view is asked, it is folded up to what is acknowledged; but nobody waits longer than
 * this for a rebuild.
 */
const settleMsMax = 2_000;
/** Requests under way may take this long when it stops; then their connections are cut. */
const drainMsMax = 5_000;

async function assembleOrClose(
  config: CollectorConfig,
  store: Store,
  background: Background,
  options: LedgerOptions,
): Promise<Ledger> {
  try {
    return await assemble(config, store, background, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function assemble(
  config: CollectorConfig,
  store: Store,
  background: Background,
  options: LedgerOptions,
): Promise<Ledger> {
  const { now = Date.now, random = Math.random, logStream = null, machineToken = null } = options;
  const { log, views, tokens, right, storeId } = store;
  const onError = background.report;
  const projections = createProjections(config.rules);
  const subscription = createSwitchingSubscription({
    create: () => createSubscription({ log, views, projections, onError }),
    idle: createIdleSubscription({ log, views, projections }),
  });
  const sealer = createSealer({
    log,
    views,
    projections,
    bareProjections: createProjections(noRules),
    subscription,
    isWriter: right.isHeld,
    now,
    random: randomUUID,
  });
  const ingest = createIngest({ log, now, onAppended: () => subscription.wake() });
  const readHealth = await createHealthReader({
    log,
    subscription,
    right,
    trouble: store.trouble,
    version: packageJson.version,
    storeId,
    deadLetters: ingest.deadLetterStanding,
  });
  async function settleViews(): Promise<void> {
    // A failure is the subscription's to report; the answer then is what was folded before.
    await within(settleMsMax, subscription.catchUp()).catch(() => undefined);
  }
  const app = await createServer({
    ingest,
    log,
    views,
    rules: config.rules,
    version: packageJson.version,
    readHealth,
    logStream,
    readStanding: createStandingReader({
      log,
      subscription,
      isWriter: right.isHeld,
      trouble: store.trouble,
      settleViews,
    }),
    settleViews,
    rebuild: (projection) => subscription.rebuild(projection),
    sealing: { sealer, now, readLogTime: () => readLogTime(views) },
    access: accessOf(config, {
      tokens,
      machineToken,
      now,
      readHomeKey: homeKeyReader(config.home, onError),
    }),
    random: randomBytes,
    tls: machineToken === null || config.tls === null ? null : readTls(config.tls),
  });
  background.sendTo((error) => app.log.error({ err: error }, 'in the background'));
  const spoolReader = createSpoolReader({
    spoolDirectory: config.spoolDirectory,
    owner: readOwner(),
    ingest,
    now,
    random,
    onError,
  });
  if (right.isHeld()) subscription.begin();

  return {
    get readOnly() {
      return !right.isHeld();
    },
    storeId,
    log,
    views,
    tokens,
    right,
    subscription,
    ingest,
    sealer,
    app,
    spoolReader,
    async drainSpool() {
      await spoolReader.drain();
      await spoolReader.previewLiving();
      await subscription.catchUp();
    },
    async close() {
      await spoolReader.stop();
      await sealer.stop();
      await closeServer(app);
      await subscription.stop();
      await store.close();
    },
  };
}

/** It may have been taken away since the start: then another one is made. */
function homeKeyReader(
  home: string,
  onError: (error: unknown) => void,
): () => Promise<Uint8Array | null> {
  return () =>
    ensureHomeKey(home).catch((error: unknown) => {
      onError(error);
      return null;
    });
}

interface Background {
  readonly report: (error: unknown) => void;
  sendTo(report: (error: unknown) => void): void;
}

/** Where errors of the background go: to the server's log, once there is a server. */
function createBackground(): Background {
  let send: (error: unknown) => void = () => undefined;
  return {
    report: (error) => send(error),
    sendTo(report) {
      send = report;
    },
  };
}

async function closeServer(app: FastifyInstance): Promise<void> {
  const closed = app.close();
  if ((await within(drainMsMax, closed)) === 'timeout') app.server.closeAllConnections();
  await closed;
}

async function listen(app: FastifyInstance, config: CollectorConfig): Promise<string> {
  const { address, port } = config;
  try {
    await app.listen({ host: address, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const message = `Port ${port} is taken by another program: stop that, or choose another port with PI_LEDGER_PORT.`;
    throw new LedgerError('address_in_use', { message, cause: error });
  }
  return localUrlOf(config, (app.server.address() as AddressInfo).port);
}

function lockedBy(home: string): LedgerError {
  const running = readCollectorFile(home);
  const who =
    running === null
      ? 'Another process writes to this store.'
      : `A collector runs already: ${running.url} (pid ${running.pid}).`;
  return new LedgerError('store_locked', { message: who });
}
