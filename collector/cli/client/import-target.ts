/**
 * Where imported events go: to the collector that runs, or into the store itself.
 *
 * A collector that cannot take events at the moment is asked again a few times: the same body can
 * be sent as often as it takes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ack, batchContentType, type LedgerEvent } from '@pi-ledger/contract';
import { parseAck } from '@pi-ledger/extension/proof/ack';
import type { CollectorConfig } from '../../config/config.ts';
import { LedgerError } from '../../errors.ts';
import { LogClosedError, wholeLog } from '../../importers/whole-log.ts';
import { type FoundCollector, findCollector, httpTransport } from './running-collector.ts';
import type { Transport, TransportAnswer } from './transport.ts';

export interface ImportTarget {
  /** Of the store: what was imported into one is not in another. */
  readonly storeId: string;
  accept(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  /** All its events, in order. Throws `LogClosedError` to whom the collector does not tell them. */
  readLog(): AsyncIterable<LedgerEvent>;
  /** Resolves when reports know what was imported. */
  close(): Promise<void>;
}

/**
 * Events of session files, or of an export: these are taken with what a ledger once wrote into
 * them.
 */
export type Imported = 'sessions' | 'export';

/** Throws `store_locked` when another process writes to the store and answers no requests. */
export async function openImportTarget(
  config: CollectorConfig,
  imported: Imported = 'sessions',
): Promise<ImportTarget> {
  const collector = await findCollector(config);
  return collector === null ? ownStore(config, imported) : served(collector, imported);
}

/** Which store an import would go to; empty for one that is not there yet. */
export async function findStoreId(config: CollectorConfig): Promise<string> {
  const collector = await findCollector(config);
  if (collector !== null) return (await served(collector)).storeId;
  const { readStoreId } = await import('../../main.ts');
  return (await readStoreId(config)) ?? '';
}

async function ownStore(config: CollectorConfig, imported: Imported): Promise<ImportTarget> {
  const { openLedger } = await import('../../main.ts');
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
    // A collector that does not tell is one of another version: nothing is known of what it has.
    storeId: storeId ?? `unknown ${Date.now()}`,
    async accept(_values, texts) {
      const body = `[${texts.join(',')}]`;
      const answer = await patiently(collector.url, () =>
        transport.request('POST', path, body, batchContentType),
      );
      if (answer.status !== 200)
        throw new Error(messageOf(answer.body) ?? `The collector answered ${answer.status}.`);
      const ack = parseAck(answer.body, texts.length);
      if (ack === null)
        throw new Error(
          'What answered has not acknowledged what was sent, or not all of it: import again.',
        );
      return ack;
    },
    readLog: () => servedLog(transport, collector.url),
    close: () => transport.close(),
  };
}

const pageEvents = 1_000;

async function* servedLog(transport: Transport, url: string): AsyncGenerator<LedgerEvent> {
  for (let after: number | null = 0; after !== null; ) {
    const path: string = `/v1/log?after=${after}&limit=${pageEvents}`;
    const { status, body } = await patiently(url, () => transport.request('GET', path));
    if (status === 401 || status === 403) throw new LogClosedError();
    if (status !== 200) throw new Error(messageOf(body) ?? `The collector answered ${status}.`);
    const page = JSON.parse(body) as {
      readonly rows: readonly { readonly event: LedgerEvent }[];
      readonly next: number | null;
    };
    for (const { event } of page.rows) yield event;
    after = page.next;
  }
}

/** Errors of the API are `{code, message, field?}`. */
function messageOf(body: string): string | null {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    return typeof message === 'string' ? message : null;
  } catch {
    return null; // no collector, or something in front of it
  }
}

const attemptsMax = 5;
const waitSecondsDefault = 1;
const waitSecondsMax = 60;

/**
 * An import is faster than a token may ask, and may meet a collector that just takes over: it waits
 * as long as it is told to.
 */
async function patiently(
  url: string,
  ask: () => Promise<TransportAnswer>,
): Promise<TransportAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask().catch((cause: unknown) =>
      cause instanceof LedgerError ? Promise.reject(cause) : goneError(url, cause),
    );
    const isForNow = answer instanceof Error || answer.status === 429 || answer.status === 503;
    if (isForNow && attempt < attemptsMax) {
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
    `The collector at ${origin} does not answer any more. What it took is kept: import again.`,
    { cause },
  );
}
