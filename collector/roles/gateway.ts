/**
 * The role `gateway`: takes events in and hands them on to Kafka. It keeps nothing, so there may be
 * any number of them; of the store it reads the tokens only.
 */

import { mkdirSync } from 'node:fs';
import { gatewayHealthGroup, ingestGroup } from '../answers/groups.ts';
import type { FullHealth } from '../answers/health/route.ts';
import type { StoredToken } from '../auth/tokens.ts';
import { asksForTokens } from '../config/access.ts';
import type { CollectorConfig } from '../config/config.ts';
import { LedgerError } from '../errors.ts';
import { createServer } from '../http/server.ts';
import { createForwarding, type Forwarding } from '../ingest/kafka/forwarding.ts';
import { partitionOf } from '../ingest/kafka/partition-of.ts';
import { topicsOf } from '../ingest/kafka/records.ts';
import { writeCollectorFile } from '../process/collector-file.ts';
import { homeKeyReader } from '../process/home-key.ts';
import { createKnownTokens, type KnownTokens } from '../process/known-tokens.ts';
import type { Logger } from '../process/logger.ts';
import { measuredIngest } from '../process/own-health/measure.ts';
import type { OwnHealth } from '../process/own-health/own-health.ts';
import { gatewayReadings } from '../process/own-health/readings.ts';
import { closeServer, createAccess, listen, readTls } from '../process/serving.ts';
import { type Stopping, stopOnSignals } from '../process/stop-signals.ts';
import type { StoreToRead } from '../stores/driver.ts';

export interface GatewayOptions {
  readonly config: CollectorConfig;
  readonly machineToken: string;
  readonly logger: Logger;
  readonly version: string;
  readonly now: () => number;
  readonly ownHealth: OwnHealth | null;
}

/** Starts without the brokers and without the store, too. Throws as `startCollector` does. */
export async function startGateway(
  options: GatewayOptions,
): Promise<Stopping & { readonly url: string }> {
  const { config, machineToken, logger, version, now, ownHealth } = options;
  const onError = logger.reporter('in the background');
  mkdirSync(config.home, { recursive: true, mode: 0o700 });
  const forwarding = await openForwarding(options, onError);
  const store = lazyStore(config);
  const list = store.listTokens;
  // Health says why tokens cannot be read.
  const tokens = createKnownTokens({ list, now, onError: () => undefined });
  const readHomeKey = homeKeyReader(config.home, onError);
  await readHomeKey();
  const health = createHealth({ ...options, forwarding, store, tokens });
  const ingest = ownHealth === null ? forwarding : measuredIngest(forwarding, ownHealth.recorder);
  const app = await createServer({
    routes: [ingestGroup(ingest), gatewayHealthGroup(health)],
    version,
    access: createAccess(config, { tokens, machineToken, now, readHomeKey }),
    tls: config.tls === null ? null : readTls(config.tls),
    logger: logger.forServer,
    nothingHere: 'This is a gateway, which only takes events in: ask a worker (PI_LEDGER_URL).',
  });
  const close = async (): Promise<void> => {
    await closeServer(app);
    await forwarding.close();
    await tokens.stop();
    await store.close();
  };
  const url = await listen(app, config).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const withdraw = writeCollectorFile(config.home, {
    url,
    pid: process.pid,
    startedAtMs: now(),
    token: machineToken,
    certFile: config.tls?.certFile ?? null,
  });
  ownHealth?.watch(gatewayReadings({ readHealth: health, onError }));
  const stopping = stopOnSignals(async () => {
    withdraw();
    await ownHealth?.stop();
    await close();
  }, onError);
  return { url, ...stopping };
}

async function openForwarding(
  { config, now }: GatewayOptions,
  onError: (error: unknown) => void,
): Promise<Forwarding> {
  const { kafka } = config;
  if (kafka === null) throw new LedgerError('config_invalid');
  const { createKafka } = await import('../ingest/kafka/kafkajs.ts');
  const producing = createKafka(kafka).openProducing();
  return createForwarding({
    producing,
    topics: topicsOf(kafka),
    partitionOf,
    now,
    onError,
  });
}

interface LazyStore {
  listTokens(): Promise<readonly StoredToken[]>;
  /** Returns null until it is read. */
  storeId(): string | null;
  /** Why its tokens cannot be read, as a sentence; null: they can. */
  trouble(): string | null;
  close(): Promise<void>;
}

/** A worker may create it later, and it may be away when the gateway starts. */
function lazyStore({ store: { driver, address } }: CollectorConfig): LazyStore {
  let opened: Promise<StoreToRead> | null = null;
  let storeId: string | null = null;
  let failure: Error | null = null;

  async function open(): Promise<StoreToRead> {
    opened ??= driver.openToRead(address);
    try {
      const store = await opened;
      storeId = store.storeId;
      return store;
    } catch (error) {
      opened = null;
      throw error;
    }
  }

  return {
    async listTokens() {
      try {
        const tokens = await (await open()).tokens.list();
        failure = null;
        return tokens;
      } catch (error) {
        failure = error as Error;
        throw error;
      }
    },
    storeId: () => storeId,
    trouble: () => (failure === null ? null : `Tokens cannot be read: ${failure.message}`),
    async close() {
      await (await opened?.catch(() => null))?.close();
    },
  };
}

interface HealthParts extends GatewayOptions {
  readonly forwarding: Forwarding;
  readonly store: LazyStore;
  readonly tokens: Pick<KnownTokens, 'areKnown'>;
}

function createHealth(parts: HealthParts): () => Promise<FullHealth> {
  const { config, version, now, forwarding, store, tokens } = parts;
  const startedAt = new Date(now()).toISOString();
  return async () => {
    const brokers = await forwarding.trouble();
    const unread = asksForTokens(config) ? store.trouble() : null;
    // Those known are kept for a while; then, or before the first reading, nobody is let in.
    const nobody = tokens.areKnown() ? null : unread;
    const problems = [brokers, nobody].filter((problem) => problem !== null);
    return {
      ready: problems.length === 0,
      role: 'gateway',
      version,
      storeId: store.storeId() ?? '',
      startedAt,
      store: { kind: config.store.driver.kind, bytes: null },
      problems,
      warnings: unread === null || nobody !== null ? [] : [unread],
      views: [],
      subscribers: [],
    };
  };
}
