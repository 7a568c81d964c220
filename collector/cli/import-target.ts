/**
 * Where imported events go: to the collector that runs, or into the store itself.
 *
 * A collector that cannot take events at the moment is asked again a few times: the same body can be sent as often as it takes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
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
      const body = `[${texts.join(',')}]`;
      const headers = { 'content-type': batchContentType, ...authorization };
      for (let attempt = 1; ; attempt += 1) {
        const answer = await post(new URL('/v1/events', url), headers, body);
        if (answer.kind === 'taken') return answer.ack;
        if (answer.kind === 'refused' || attempt === attemptsMax) throw new Error(answer.message);
        await sleep(retryAfterMs);
      }
    },
    close: async () => undefined,
  };
}

type Answer =
  | { readonly kind: 'taken'; readonly ack: Ack }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'not now'; readonly message: string };

async function post(url: URL, headers: Record<string, string>, body: string): Promise<Answer> {
  let answer: Response;
  try {
    answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(requestMsMax) });
  } catch {
    return { kind: 'not now', message: `The collector at ${url.origin} does not answer any more. What it took is kept: import again.` };
  }
  const said: unknown = await answer.json().catch(() => null);
  if (answer.status === 200 && said !== null) return { kind: 'taken', ack: said as Ack };
  const message = (said as { readonly message?: string } | null)?.message ?? `The collector answered ${answer.status}.`;
  return { kind: answer.status === 503 ? 'not now' : 'refused', message };
}

const requestMsMax = 60_000;
const attemptsMax = 5;
const retryAfterMs = 1_000;
