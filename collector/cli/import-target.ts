/** Where imported events go: to the collector that runs, or into the store itself. */
import { type Ack, batchContentType } from '@pi-ledger/contract';
import type { CollectorConfig } from '../config.ts';
import { LedgerError } from '../errors.ts';
import { findCollector } from './running-collector.ts';

export interface ImportTarget {
  /** Of the store: what was imported into one is not in another. */
  readonly storeId: string;
  accept(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  /** Resolves when reports know what was imported. */
  close(): Promise<void>;
}

/** Throws `store_locked` when another process writes to the store and answers no requests. */
export async function openImportTarget(config: CollectorConfig): Promise<ImportTarget> {
  const url = await findCollector(config);
  return url === null ? ownStore(config) : collectorAt(url, config.token);
}

/** Which store an import would go to; empty for one that is not there yet. */
export async function findStoreId(config: CollectorConfig): Promise<string> {
  const url = await findCollector(config);
  if (url !== null) return (await collectorAt(url, config.token)).storeId;
  const { readStoreId } = await import('../main.ts');
  return (await readStoreId(config)) ?? '';
}

async function ownStore(config: CollectorConfig): Promise<ImportTarget> {
  const { openLedger } = await import('../main.ts');
  const ledger = await openLedger(config);
  if (ledger.readOnly) {
    await ledger.close();
    throw new LedgerError('store_locked');
  }
  return {
    storeId: ledger.storeId,
    accept: ledger.ingest.accept,
    async close() {
      await ledger.subscription.catchUp();
      await ledger.close();
    },
  };
}

async function collectorAt(url: string, token: string | null): Promise<ImportTarget> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const health = await fetch(new URL('/health/ready', url), { headers: authorization, signal: AbortSignal.timeout(requestMsMax) });
  const { storeId } = (await health.json()) as { readonly storeId?: string };
  return {
    // A collector that does not tell is one of another version: nothing is known of what it has.
    storeId: storeId ?? `unknown ${Date.now()}`,
    async accept(_values, texts) {
      const answer = await fetch(new URL('/v1/events', url), {
        method: 'POST',
        headers: { 'content-type': batchContentType, ...authorization },
        body: `[${texts.join(',')}]`,
        signal: AbortSignal.timeout(requestMsMax),
      });
      const body = (await answer.json()) as Ack & { readonly message?: string };
      if (answer.status !== 200) throw new Error(body.message ?? `The collector answered ${answer.status}.`);
      return body;
    },
    close: async () => undefined,
  };
}

const requestMsMax = 60_000;
