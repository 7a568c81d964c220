/**
 * Where imported events go: to the running collector, or straight into the store.
 *
 * A collector that cannot take events right now is asked again a few times; sending the same body
 * twice does no harm.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ack, batchContentType, type LedgerEvent } from '@pi-ledger/contract';
import type { Usage, Withdrawn } from '@pi-ledger/contract/answers';
import { parseAck } from '@pi-ledger/core/proof/ack';
import type { CollectorConfig } from '../../config/config.ts';
import { LedgerError } from '../../errors.ts';
import {
  type Refusal,
  refuseOthers,
  type SessionPeriod,
  type WithdrawSession,
} from '../../importers/session/private/taken-back.ts';
import { LogClosedError, wholeLog } from '../../importers/whole-log.ts';
import type { SealedTotals } from '../../log/history.ts';
import { type FoundCollector, findCollector, httpTransport } from './running-collector.ts';
import { servedSealedTotals } from './served-sealed-totals.ts';
import type { ClientTransport, TransportAnswer } from './transport.ts';

export interface ImportTarget {
  /** It names the store: a file imported into one store is new to another. */
  readonly storeId: string;
  accept(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  /** All its events, in order. Throws `LogClosedError` if the token may not read them. */
  readLog(): AsyncIterable<LedgerEvent>;
  /** What is counted of deleted history; null without any, or where the token may not read it. */
  readSealedTotals(): Promise<SealedTotals | null>;
  readonly withdrawSession: WithdrawSession;
  /** The ledger's totals; null where the token may not read them. */
  usage(): Promise<Usage['total'] | null>;
  /** Resolves when reports include what was imported. */
  close(): Promise<void>;
}

/** Events of session files, or of an export, which keep what their ledger wrote into them. */
export type Imported = 'sessions' | 'export';

/** Throws `store_locked` when another process writes to the store and answers no requests. */
export async function openImportTarget(
  config: CollectorConfig,
  imported: Imported = 'sessions',
): Promise<ImportTarget> {
  const collector = await findCollector(config);
  return collector === null ? ownStore(config, imported) : served(collector, imported);
}

/** The store that an import would go to; empty if it does not exist yet. */
export async function findStoreId(config: CollectorConfig): Promise<string> {
  const collector = await findCollector(config);
  if (collector !== null) return (await served(collector)).storeId;
  const { readStoreId } = await import('../../main.ts');
  return (await readStoreId(config)) ?? '';
}

async function ownStore(config: CollectorConfig, imported: Imported): Promise<ImportTarget> {
  const { openLedger } = await import('../../main.ts');
  const { readSealedTotals } = await import('../../seal/sealed-totals.ts');
  const { withdrawSessionIn } = await import('../../roles/withdrawing/in-ledger.ts');
  const ledger = await openLedger(config);
  if (ledger.readOnly) {
    await ledger.close();
    throw new LedgerError('store_locked');
  }
  return {
    storeId: ledger.storeId,
    accept: (values, texts) =>
      ledger.ingest.accept(values, texts, { is: imported === 'sessions' ? 'importer' : 'record' }),
    readLog: () => wholeLog(ledger.log),
    async readSealedTotals() {
      await ledger.subscription.catchUp();
      return readSealedTotals(ledger.sealer, ledger.parts.cell.views);
    },
    withdrawSession: withdrawSessionIn(ledger.parts),
    async usage() {
      await ledger.subscription.catchUp();
      const headers = { host: 'localhost' };
      const { statusCode, body } = await ledger.app.inject({ url: usagePath, headers });
      return readTotal(statusCode, body);
    },
    async close() {
      await ledger.subscription.catchUp();
      await ledger.close();
    },
  };
}

async function served(
  collector: FoundCollector,
  imported: Imported = 'sessions',
): Promise<ImportTarget> {
  const transport = httpTransport(collector);
  const path = imported === 'sessions' ? '/v1/events' : '/v1/log';
  const { storeId } = JSON.parse((await transport.request('GET', '/health/ready')).body) as {
    readonly storeId?: string;
  };
  return {
    // A collector of another version does not say: assume nothing about what it has.
    storeId: storeId ?? `unknown ${Date.now()}`,
    async accept(_values, texts) {
      const body = `[${texts.join(',')}]`;
      const answer = await patiently(collector.url, () =>
        transport.request('POST', path, body, batchContentType),
      );
      if (answer.status !== 200)
        throw new Error(readMessage(answer.body) ?? statusMessage(answer.status));
      const ack = parseAck(answer.body, texts.length);
      if (ack === null)
        throw new Error('The collector did not acknowledge all events: run the import again.');
      return ack;
    },
    readLog: () => servedLog(transport, collector.url),
    readSealedTotals: () =>
      servedSealedTotals((asked) =>
        patiently(collector.url, () => transport.request('GET', asked)),
      ),
    withdrawSession: (session, reason, period) =>
      withdrawServed(session, period, (dryRun) =>
        patiently(collector.url, () =>
          transport.request('POST', '/v1/withdrawals', JSON.stringify({ session, reason, dryRun })),
        ),
      ),
    async usage() {
      const { status, body } = await transport.request('GET', usagePath);
      return readTotal(status, body);
    },
    close: () => transport.close(),
  };
}

const usagePath = '/v1/usage?by=kind&limit=1';

function readTotal(status: number, body: string): Usage['total'] | null {
  return status === 200 ? (JSON.parse(body) as Usage).total : null;
}

async function withdrawServed(
  session: string,
  period: SessionPeriod,
  post: (dryRun: boolean) => Promise<TransportAnswer>,
): Promise<Refusal | null> {
  const planned = await post(true);
  const refusal =
    planned.status === 200 ? refuseOthers(JSON.parse(planned.body) as Withdrawn, period) : null;
  if (refusal !== null) return refusal;
  const { status, body } = planned.status === 200 ? await post(false) : planned;
  if (status === 200) return null;
  const { field } = readError(body);
  if (status === 404 && field === 'session') return null; // nothing of it is left
  if (status === 401 || status === 403)
    return refusedBecause(
      'only a token of an administrator takes it back: ' +
        `\`pi-ledger withdraw session ${session} --reason private\``,
    );
  return refusedBecause(readMessage(body) ?? statusMessage(status));
}

function refusedBecause(why: string): Refusal {
  return { why, isDoubt: false };
}

const pageEvents = 1_000;

async function* servedLog(transport: ClientTransport, url: string): AsyncGenerator<LedgerEvent> {
  for (let after: number | null = 0; after !== null; ) {
    const path: string = `/v1/log?after=${after}&limit=${pageEvents}`;
    const { status, body } = await patiently(url, () => transport.request('GET', path));
    if (status === 401 || status === 403) throw new LogClosedError();
    if (status !== 200) throw new Error(readMessage(body) ?? statusMessage(status));
    const page = JSON.parse(body) as {
      readonly rows: readonly { readonly event: LedgerEvent; readonly withdrawn?: boolean }[];
      readonly next: number | null;
    };
    for (const { event, withdrawn = false } of page.rows) if (!withdrawn) yield event;
    after = page.next;
  }
}

function statusMessage(status: number): string {
  return `The collector answered with status ${status}.`;
}

function readMessage(body: string): string | null {
  return readError(body).message;
}

/** Errors of the API are `{code, message, field?}`. */
function readError(body: string): { readonly message: string | null; readonly field: unknown } {
  try {
    const { message, field } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    return { message: typeof message === 'string' ? message : null, field };
  } catch {
    return { message: null, field: null }; // not a collector, or a proxy in front of one
  }
}

const attemptsMax = 5;
const waitSecondsDefault = 1;
const waitSecondsMax = 60;

/**
 * An import may exceed the rate limit of its token, or meet a collector that is just taking over:
 * it waits as long as the answer says.
 */
async function patiently(
  url: string,
  ask: () => Promise<TransportAnswer>,
): Promise<TransportAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask().catch((cause: unknown) =>
      cause instanceof LedgerError ? Promise.reject(cause) : goneError(url, cause),
    );
    const isTemporary = answer instanceof Error || answer.status === 429 || answer.status === 503;
    if (isTemporary && attempt < attemptsMax) {
      const waitSeconds =
        (answer instanceof Error ? null : answer.retryAfterSeconds) ?? waitSecondsDefault;
      await sleep(Math.min(waitSeconds, waitSecondsMax) * 1_000);
    } else if (answer instanceof Error) throw answer;
    else return answer;
  }
}

function goneError(url: string, cause: unknown): Error {
  const { origin } = new URL(url);
  return new Error(
    `The collector at ${origin} stopped answering. Accepted events are kept: import again.`,
    { cause },
  );
}
