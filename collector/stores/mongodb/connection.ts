/**
 * The connection to a MongoDB server, with what the log and the views both rely on: a write is
 * acknowledged when a majority of the servers has it in its journal, a read sees only such writes,
 * and both go to the primary.
 *
 * Contract: `connectMongodb` throws `config_invalid` for an address that is none,
 * `store_unreachable` when no server answers, and never shows the address' password. An operation
 * without an answer is given up after `operationMsMax` (20 s), tried once more where that is
 * harmless, and rejected; whether it was done is then unknown. Where the driver itself gets stuck,
 * the connection begins anew; `database` and its collections stay valid.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { LedgerError } from '../../errors.ts';
import { databaseNameOf } from './address.ts';
import { answeredDatabase } from './answered-database.ts';
import { watchHeartbeats } from './heartbeats.ts';

export interface MongodbConnection {
  readonly database: Db;
  close(): Promise<void>;
}

export interface MongodbConnectionOptions {
  /** `mongodb://` or `mongodb+srv://`; the path is the database's name. */
  readonly uri: string;
  /** As the server's own lists of connections show it. */
  readonly appName?: string;
  /** Without an answer for so long, an operation is given up. */
  readonly operationMsMax?: number;
  /** For a connection to be made, and as long again for its first answer. */
  readonly connectMsMax?: number;
}

const connectMsMaxDefault = 5_000;
/** Until a primary is found again after a failover; the sender of an append waits as long. */
const selectionMsMax = 5_000;
const operationMsMaxDefault = 20_000;
const connectionsMax = 20;
/** What the driver's own limits may be late by. */
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
    // Not `readConcern`: an address that says something else would win over it.
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
  const { database, giveUp } = answeredDatabase(client.db(databaseNameOf(uri)), {
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
    // Without the cause, which may quote the address.
    throw new LedgerError('config_invalid', {
      message: `The store's address is none that MongoDB's driver takes: ${problem}`,
    });
  }
}

/**
 * Named by the code of what went wrong (`ECONNREFUSED`, `AuthenticationFailed`): a cause's message
 * may quote the address.
 */
function unreachable(error: unknown): LedgerError {
  const failure = new LedgerError('store_unreachable', { cause: error });
  const code = codeOf(error);
  return code === null
    ? failure
    : new LedgerError('store_unreachable', {
        message: `${failure.message.slice(0, -1)} (${code}).`,
        cause: error,
      });
}

/** The innermost one. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, codeName } = error as { code?: unknown; codeName?: unknown };
  const own = [codeName, code].find((text) => typeof text === 'string' && /^\w+$/.test(text));
  return codeOf(error.cause) ?? (own as string | undefined) ?? null;
}

/** Of an address that is not well formed, nobody knows which part the driver quotes. */
function withoutPassword(uri: string, message: string): string {
  const credentials = /\/\/(.*)@/.exec(uri)?.[1] ?? '';
  const secrets = [credentials, credentials.slice(credentials.indexOf(':') + 1)].filter(
    (text) => text !== '',
  );
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
}

/**
 * Closes the client and connects it again until a server answers; operations under way are
 * rejected. One at a time.
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
      return false; // no server yet: operations are rejected, which whoever asks for them reports
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
