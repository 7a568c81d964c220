/**
 * The composition root: `openLedger` opens a store in this process, for commands; `startCollector`
 * opens it and serves it until it is stopped. The role (roles/role.ts) says what is served and
 * done.
 */
import { randomBytes } from 'node:crypto';
import { drawTokenText } from './auth/token-text.ts';
import type { CollectorConfig } from './config/config.ts';
import { LedgerError } from './errors.ts';
import { builtPageDirectory } from './http/page/files.ts';
import packageJson from './package.json' with { type: 'json' };
import { readCollectorFile, writeCollectorFile } from './process/collector-file.ts';
import { noteCommand } from './process/command-file.ts';
import {
  createLogger,
  holdLog,
  type Logger,
  type LogStream,
  metricsNotSent,
} from './process/logger.ts';
import type { HealthRecorder } from './process/own-health/measure.ts';
import { type OwnHealth, startOwnHealth } from './process/own-health/own-health.ts';
import { collectorReadings } from './process/own-health/readings.ts';
import { intoHome, prepareHome } from './process/prepare-home.ts';
import { expectUsable, listen } from './process/serving.ts';
import { type Stopping, stopOnSignals } from './process/stop-signals.ts';
import { startLeadership } from './roles/leadership.ts';
import { assembleLedger, type Ledger } from './roles/ledger.ts';
import { openConfigured } from './roles/open-ledger.ts';
import type { Role } from './roles/role.ts';
import type { WatchedSessions } from './roles/session-watch.ts';

export interface Collector extends Stopping {
  readonly url: string;
}

export interface LedgerOptions {
  readonly role?: Role;
  readonly now?: () => number;
  readonly random?: () => number;
  /** JSON lines of warnings and errors; null: none. */
  readonly logStream?: LogStream | null;
  /**
   * With it the ledger is served by the configuration's rules, and who presents this token may do
   * everything. Absent: only this process asks.
   */
  readonly machineToken?: string;
  /** Default: where a build puts the page. */
  readonly pageDirectory?: string;
}

export interface CollectorOptions extends LedgerOptions {
  /**
   * Imports session files from where hosts keep them, by this environment, unless the configuration
   * turns that off. Absent: never.
   */
  readonly sessions?: WatchedSessions;
}

/** Takes the right to write if it is free. Throws a LedgerError, or what the file system says. */
export async function openLedger(
  config: CollectorConfig,
  options: LedgerOptions = {},
): Promise<Ledger> {
  return openLogged(config, options, await createLogger(options.logStream ?? null));
}

/**
 * The identity of the configured store, read without the right to write; null where there is none
 * yet. Throws as `openLedger` does.
 */
export async function readStoreId({ store }: CollectorConfig): Promise<string | null> {
  return store.driver.readStoreId(store.address);
}

/**
 * Stops on SIGTERM and SIGINT. Throws `config_invalid`, `store_locked`, `address_in_use`,
 * `tokens_needed`, and what
 * `openLedger` throws.
 */
export async function startCollector(
  config: CollectorConfig,
  options: CollectorOptions = {},
): Promise<Collector> {
  expectTelemetry(config);
  const machineToken = drawTokenText(randomBytes);
  const { logStream = null } = options;
  const log = logStream === null ? null : holdLog(logStream);
  const logger = await createLogger(log?.stream ?? null);
  const ownHealth = await startOwnHealth({
    telemetry: config.telemetry,
    version: packageJson.version,
    onFailure: (why) => logger.note(metricsNotSent(why)),
  });
  const starting = { config, options, machineToken, logger, ownHealth };
  try {
    return await (config.role === 'gateway' ? serveGateway(starting) : serveOpened(starting));
  } catch (error) {
    await ownHealth?.stop();
    if (error instanceof LedgerError) log?.drop();
    throw error;
  } finally {
    log?.release();
  }
}

type Starting = Omit<Serving, 'ledger'>;

async function serveGateway({ options, ...starting }: Starting): Promise<Collector> {
  const { startGateway } = await import('./roles/gateway.ts');
  const { now = Date.now } = options;
  return startGateway({ ...starting, now, version: packageJson.version });
}

async function serveOpened(serving: Starting): Promise<Collector> {
  const { config, options, machineToken, logger, ownHealth } = serving;
  const recorder = ownHealth?.recorder ?? null;
  const ledger = await openLogged(config, { ...options, machineToken }, logger, recorder);
  try {
    return await serve({ ...serving, ledger });
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

async function openLogged(
  config: CollectorConfig,
  options: LedgerOptions,
  logger: Logger,
  recorder: HealthRecorder | null = null,
): Promise<Ledger> {
  const { role = null, now = Date.now, random = Math.random, machineToken = null } = options;
  const { pageDirectory = builtPageDirectory } = options;
  const { version } = packageJson;
  const opened = await openConfigured({
    ...{ config, recorder, role, logger, version, now, random, pageDirectory },
    async join(opening, stores) {
      const { joinCells } = await import('./cells/join-cells.ts');
      return joinCells(opening, stores);
    },
  });
  try {
    return await assembleLedger({ ...opened, machineToken });
  } catch (error) {
    await opened.parts.store.close();
    throw error;
  }
}

interface Serving {
  readonly config: CollectorConfig;
  readonly options: CollectorOptions;
  readonly machineToken: string;
  readonly logger: Logger;
  readonly ledger: Ledger;
  readonly ownHealth: OwnHealth | null;
}

async function serve(serving: Serving): Promise<Collector> {
  const { config, options, machineToken, logger, ledger, ownHealth } = serving;
  const { now = Date.now } = options;
  if (ledger.readOnly && config.store.driver.lease === null) throw lockedBy(config.home);
  await expectUsable(config, { tokens: ledger.tokens, now });
  // A store in a file makes it; one in a database does not.
  await prepareHome(config.home, logger.reporter('while making home.key'));
  const url = await listen(ledger.app, config);
  const withdraw = await intoHome(config.home, () =>
    writeCollectorFile(config.home, {
      url,
      pid: process.pid,
      startedAtMs: now(),
      token: machineToken,
      certFile: config.tls?.certFile ?? null,
    }),
  );
  const onError = logger.reporter('in the background');
  noteCommand(config.home, process.env, onError);
  const leadership = lead(serving, url, onError);
  ownHealth?.watch(
    collectorReadings({
      ...{ views: ledger.views, spoolDirectory: config.spoolDirectory, now, onError },
      readHealth: ledger.parts.readHealth,
      deadLetters: ledger.ingest.deadLetterStatus,
    }),
  );
  const stopping = stopOnSignals(async () => {
    withdraw();
    await leadership?.stop();
    await ownHealth?.stop();
    await ledger.close();
  }, onError);
  return { url, ...stopping };
}

/** Returns null where the role never leads. */
function lead(
  { config, options, ledger }: Serving,
  url: string,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } | null {
  const { role, parts, right } = ledger;
  if (role.begin !== undefined) return role.begin();
  const { sessions = null } = options;
  const tasks = role.leaderTasks?.(parts, { url, sessions: config.import ? sessions : null });
  return tasks === undefined ? null : startLeadership({ right, tasks, onError });
}

/** Only who exports needs them. */
function expectTelemetry({ telemetry: { problems } }: CollectorConfig): void {
  if (problems.length > 0)
    throw new LedgerError('config_invalid', {
      message: `The configuration is not valid: ${problems.join('; ')}.`,
    });
}

function lockedBy(home: string): LedgerError {
  const running = readCollectorFile(home);
  const who =
    running === null
      ? 'Another process writes to this store.'
      : `A collector is already running: ${running.url} (pid ${running.pid}).`;
  return new LedgerError('store_locked', { message: who });
}
