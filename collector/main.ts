/**
 * The composition root: the only file that knows every implementation.
 *
 * `openLedger` opens a store in this process, for commands; `startCollector` opens it and serves it until it is told to stop.
 */
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { readOwner } from '@pi-ledger/extension/spool/owner';
import type { FastifyInstance } from 'fastify';
import { readCollectorFile, writeCollectorFile } from './collector-file.ts';
import type { CollectorConfig, Environment } from './config.ts';
import { LedgerError } from './errors.ts';
import { createHealthReader } from './health.ts';
import { createServer } from './http/server.ts';
import { createIdleSubscription } from './idle-subscription.ts';
import { createIngest, type Ingest } from './ingest.ts';
import type { Log } from './log/log.ts';
import { openSqliteLog } from './log/sqlite.ts';
import packageJson from './package.json' with { type: 'json' };
import { createProjections } from './projections/registry.ts';
import { type SessionWatch, startSessionWatch } from './session-watch.ts';
import { createSpoolReader, type SpoolReader } from './spool-reader.ts';
import { lockStore, type StoreLock } from './store-lock.ts';
import { createSubscription, type Subscription } from './subscription.ts';
import { openSqliteViews } from './views/sqlite.ts';
import type { Views } from './views/views.ts';
import { within } from './within.ts';

export interface Ledger {
  /** Another process writes to this store: here it is only read, as far as that process has folded it. */
  readonly readOnly: boolean;
  /** Drawn when the store was made. */
  readonly storeId: string;
  readonly log: Log;
  readonly views: Views;
  readonly subscription: Subscription;
  readonly ingest: Ingest;
  readonly app: FastifyInstance;
  readonly spoolReader: SpoolReader;
  /** Takes in what dead producers left in the spool, reads what living ones keep there, and folds it. Rejects when the store fails. */
  drainSpool(): Promise<void>;
  /** Lets requests finish, commits, closes, lets the lock go. */
  close(): Promise<void>;
}

export interface Collector {
  readonly url: string;
  /** Resolves when it has stopped; false when that was not orderly within `stopMsMax`. */
  readonly stopped: Promise<boolean>;
  stop(): Promise<boolean>;
}

export interface LedgerOptions {
  readonly now?: () => number;
  readonly random?: () => number;
  /** JSON lines of warnings and errors; null: none. */
  readonly logStream?: { write(line: string): void } | null;
}

export interface CollectorOptions extends LedgerOptions {
  /** Imports session files from where hosts keep them, by this environment, unless the configuration says no. Absent: never. */
  readonly sessions?: { readonly environment: Environment; print(line: string): void };
}

/** Takes the writer lock if it is free. Throws a LedgerError, or what the file system says. */
export function openLedger(config: CollectorConfig, options: LedgerOptions = {}): Promise<Ledger> {
  return assembleLocked(config, lockStore(config.storePath), options);
}

/** The identity of the configured store, read without the lock; null where there is none yet. Throws as `openLedger` does. */
export async function readStoreId({ storePath }: CollectorConfig): Promise<string | null> {
  if (!existsSync(storePath)) return null;
  const log = openSqliteLog({ path: storePath, readOnly: true });
  await log.close();
  return log.storeId;
}

/** Stops on SIGTERM and SIGINT. Throws `store_locked`, `address_in_use`, and what `openLedger` throws. */
export async function startCollector(config: CollectorConfig, options: CollectorOptions = {}): Promise<Collector> {
  const lock = lockStore(config.storePath);
  if (lock === null) throw lockedBy(config.home);
  const ledger = await assembleLocked(config, lock, { logStream: process.stderr, ...options });
  try {
    const url = await listen(ledger.app, config);
    const withdraw = writeCollectorFile(config.home, { url, pid: process.pid, startedAtMs: (options.now ?? Date.now)() });
    ledger.subscription.wake();
    ledger.spoolReader.start(url);
    const watch = options.sessions === undefined || !config.import ? null : watchSessions(config, ledger, options.sessions, options.now);
    return createCollector(url, ledger, async () => {
      withdraw();
      await watch?.stop();
    });
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/** Before a view is asked, it is folded up to what is acknowledged; but nobody waits longer than this for a rebuild. */
const settleMsMax = 2_000;
/** Requests under way may take this long when it stops; then their connections are cut. */
const drainMsMax = 5_000;
const stopMsMax = 10_000;

async function assembleLocked(config: CollectorConfig, lock: StoreLock | null, options: LedgerOptions): Promise<Ledger> {
  try {
    return await assemble(config, lock, options);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function assemble(config: CollectorConfig, lock: StoreLock | null, options: LedgerOptions): Promise<Ledger> {
  const { now = Date.now, random = Math.random, logStream = null } = options;
  const readOnly = lock === null;
  const onError = (error: unknown): void => app.log.error({ err: error }, 'in the background');
  const log = openSqliteLog({ path: config.storePath, readOnly, now });
  const views = openSqliteViews({ path: config.storePath, readOnly });
  const projections = createProjections(config.rules);
  const subscription = readOnly
    ? createIdleSubscription({ log, views, projections })
    : createSubscription({ log, views, projections, onError });
  const ingest = createIngest({ log, now, onAppended: () => subscription.wake() });
  const readHealth = await createHealthReader({ log, subscription, version: packageJson.version, storeId: log.storeId });
  const app = await createServer({
    ingest,
    log,
    views,
    rules: config.rules,
    version: packageJson.version,
    readHealth,
    logStream,
    async settleViews() {
      // A failure is the subscription's to report; the answer then is what was folded before.
      await within(settleMsMax, subscription.catchUp()).catch(() => undefined);
    },
    rebuild: (projection) => subscription.rebuild(projection),
  });
  const spoolReader = createSpoolReader({ spoolDirectory: config.spoolDirectory, owner: readOwner(), ingest, now, random, onError });

  return {
    readOnly,
    storeId: log.storeId,
    log,
    views,
    subscription,
    ingest,
    app,
    spoolReader,
    async drainSpool() {
      await spoolReader.drain();
      await spoolReader.previewLiving();
      await subscription.catchUp();
    },
    async close() {
      await spoolReader.stop();
      await closeServer(app);
      await subscription.stop();
      await views.close();
      await log.close();
      lock?.release();
    },
  };
}

async function closeServer(app: FastifyInstance): Promise<void> {
  const closed = app.close();
  if ((await within(drainMsMax, closed)) === 'timeout') app.server.closeAllConnections();
  await closed;
}

async function listen(app: FastifyInstance, { address, port }: CollectorConfig): Promise<string> {
  try {
    await app.listen({ host: address, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const message = `Port ${port} is taken by another program: stop that, or choose another port with PI_LEDGER_PORT.`;
    throw new LedgerError('address_in_use', { message, cause: error });
  }
  const host = address.includes(':') ? `[${address}]` : address;
  return `http://${host}:${(app.server.address() as AddressInfo).port}`;
}

function watchSessions(
  config: CollectorConfig,
  ledger: Ledger,
  sessions: NonNullable<CollectorOptions['sessions']>,
  now: (() => number) | undefined,
): SessionWatch {
  return startSessionWatch({
    ...sessions,
    home: config.home,
    storeId: ledger.storeId,
    version: packageJson.version,
    accept: ledger.ingest.accept,
    now: now ?? Date.now,
    onError: (error) => ledger.app.log.error({ err: error }, 'while importing session files'),
  });
}

function createCollector(url: string, ledger: Ledger, withdraw: () => Promise<void>): Collector {
  let stopping: Promise<boolean> | undefined;
  const { promise: stopped, resolve } = Promise.withResolvers<boolean>();
  const onSignal = (): void => {
    void stop();
  };

  function stop(): Promise<boolean> {
    stopping ??= stopOnce().then((isOrderly) => {
      for (const signal of stopSignals) process.off(signal, onSignal);
      resolve(isOrderly);
      return isOrderly;
    });
    return stopping;
  }

  async function stopOnce(): Promise<boolean> {
    try {
      const closed = withdraw().then(() => ledger.close());
      return (await within(stopMsMax, closed)) !== 'timeout';
    } catch (error) {
      ledger.app.log.error({ err: error }, 'while stopping');
      return false;
    }
  }

  // A terminal sends Ctrl-C to npm, to its child and to ours, and some pass it on: while it stops, further signals change nothing.
  for (const signal of stopSignals) process.on(signal, onSignal);
  return { url, stopped, stop };
}

const stopSignals = ['SIGTERM', 'SIGINT'] as const;

function lockedBy(home: string): LedgerError {
  const running = readCollectorFile(home);
  const who = running === null ? 'Another process writes to this store.' : `A collector runs already: ${running.url} (pid ${running.pid}).`;
  return new LedgerError('store_locked', { message: who });
}
