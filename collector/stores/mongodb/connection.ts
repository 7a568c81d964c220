/**
 * The connection to a MongoDB server, with the settings that log and views rely on: a write is
 * acknowledged when a majority of servers has it in its journal, a read sees only such writes, and
 * both go to the primary.
 *
 * Contract: `connectMongodb` throws `config_invalid` for an invalid address and `store_unreachable`
 * when no server answers, and never shows the password in the address. An operation without an
 * answer is given up after `operationMsMax` (20 s), retried once where that is harmless, and
 * rejected; whether it was executed is then unknown. When the driver itself gets stuck, the
 * connection is rebuilt; `database` and its collections stay valid.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { LedgerError } from '../../errors.ts';
import { databaseName } from './address.ts';
import { answeredDatabase } from './answered-database.ts';

export interface MongodbConnection {
  readonly database: Db;
  close(): Promise<void>;
}

export interface MongodbConnectionOptions {
  /** `mongodb://` or `mongodb+srv://`; the path is the database's name. */
  readonly uri: string;
  /** The name in the server's lists of connections. */
  readonly appName?: string;
  /** An operation without an answer is given up after this. */
  readonly operationMsMax?: number;
  /** The limit for connecting, and again for the first answer. */
  readonly connectMsMax?: number;
}

const connectMsMaxDefault = 5_000;
/** The limit for finding a primary after a failover; an append waits as long. */
const selectionMsMax = 5_000;
const operationMsMaxDefault = 20_000;
const connectionsMax = 20;
/** How late the driver's own limits may act. */
const lateMsMax = 1_000;
const rebuildPauseMs = 1_000;

export async function connectMongodb({
  uri,
  appName = 'pi-ledger',
  operationMsMax = operationMsMaxDefault,
  connectMsMax = connectMsMaxDefault,
}: MongodbConnectionOptions): Promise<MongodbConnection> {
  const client = createClient(uri, {
    appName,
    writeConcern: { w: 'majority', j: true },
    // Not `readConcern`: the address could override it.
    readConcernLevel: 'majority',
    readPreference: 'primary',
    connectTimeoutMS: connectMsMax,
    serverSelectionTimeoutMS: selectionMsMax,
    socketTimeoutMS: operationMsMax,
    maxPoolSize: connectionsMax,
  });
  try {
    await client.connect();
  } catch (error) {
    await client.close();
    throw unreachable(error);
  }
  const answerMsMax = 2 * (operationMsMax + selectionMsMax) + lateMsMax;
  const { database, giveUp } = answeredDatabase(client.db(databaseName(uri)), {
    answerMsMax,
    onLost: () => rebuilding.begin(),
  });
  const rebuilding = createRebuilding(client, giveUp);
  watchHeartbeats(client, { heartbeatMsMax: 2 * connectMsMax, onStuck: rebuilding.begin });
  return { database, close: rebuilding.close };
}

function createClient(uri: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(uri, options);
  } catch (error) {
    const problem = withoutPassword(uri, (error as Error).message);
    // Without the cause: it may quote the address.
    throw new LedgerError('config_invalid', {
      message: `The address of the store is not a valid MongoDB connection string: ${problem}`,
    });
  }
}

/** Says why in words, by the code: the message of the cause may quote the address. */
function unreachable(cause: unknown): LedgerError {
  const code = errorCode(cause);
  if (code === 'AuthenticationFailed')
    return new LedgerError('store_unreachable', {
      message:
        'The database server refuses the login. Correct user and password in ' +
        'PI_LEDGER_STORE or "store" in config.json.',
      cause,
    });
  const reason = code === null ? undefined : (reasons[code] ?? code);
  return new LedgerError('store_unreachable', {
    message:
      `The database server does not answer${reason === undefined ? '' : `: ${reason}`}. ` +
      'Start it, or correct PI_LEDGER_STORE or "store" in config.json.',
    cause,
  });
}

const reasons: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'no server has this name',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ENOTFOUND: 'no server has this name',
  ETIMEDOUT: 'the server cannot be reached',
};

/** The innermost code. */
function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, codeName } = error as { code?: unknown; codeName?: unknown };
  const own = [codeName, code].find((text) => typeof text === 'string' && /^\w+$/.test(text));
  return errorCode(error.cause) ?? (own as string | undefined) ?? null;
}

/** The driver may quote any part of a malformed address. */
function withoutPassword(uri: string, message: string): string {
  const credentials = /\/\/(.*)@/.exec(uri)?.[1] ?? '';
  const secrets = [credentials, credentials.slice(credentials.indexOf(':') + 1)].filter(
    (text) => text !== '',
  );
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
}

/**
 * Closes the client and reconnects until a server answers, rejecting pending operations. One
 * rebuild at a time.
 */
function createRebuilding(
  client: MongoClient,
  giveUp: () => void,
): { begin(): void; close(): Promise<void> } {
  let running: Promise<void> | null = null;
  let isClosed = false;

  async function connectAgain(): Promise<boolean> {
    try {
      await client.connect();
      return true;
    } catch {
      return false; // no server yet: operations are rejected, and their callers report it
    }
  }

  async function rebuild(): Promise<void> {
    giveUp();
    await client.close();
    while (!isClosed && !(await connectAgain())) await sleep(rebuildPauseMs);
    running = null;
  }

  return {
    begin() {
      if (!isClosed) running ??= rebuild();
    },
    async close() {
      isClosed = true;
      await running;
      await client.close();
    },
  };
}

// Notices when the driver stops watching a server: a heartbeat that neither succeeds nor fails,
// although each step of it has a limit.
// Why this happens: mongodb 7.9.0 writes to a destroyed socket whose `close` event is still to
// come, gets `false` as an answer and waits for `drain`, which never comes. After a server was
// killed, a heartbeat requested by an operation may hit exactly that moment; on compatible servers
// that do not stream heartbeats it then waits for ever, and no server is ever selected again.

/**
 * After the limit, with this process awake: a process that slept finds its timers expired and its
 * answers not yet read.
 */
const awakeMs = 1_000;

/**
 * Contract: `onStuck` must not throw; it is called once for each heartbeat that does not end. The
 * timers do not keep a process alive.
 */
function watchHeartbeats(
  client: MongoClient,
  { heartbeatMsMax, onStuck }: { heartbeatMsMax: number; onStuck(): void },
): void {
  const underWay = new Map<string, NodeJS.Timeout>();
  const end = (address: string): void => {
    clearTimeout(underWay.get(address));
    underWay.delete(address);
  };
  client.on('serverHeartbeatStarted', ({ connectionId, awaited }) => {
    end(connectionId);
    // A streamed heartbeat is answered only on a change, or after the pause between two.
    const msMax = heartbeatMsMax + (awaited ? client.options.heartbeatFrequencyMS : 0);
    const judge = (): unknown => underWay.set(connectionId, setTimeout(onStuck, awakeMs).unref());
    underWay.set(connectionId, setTimeout(judge, msMax).unref());
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => end(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => end(connectionId));
  client.on('serverClosed', ({ address }) => end(address));
}
