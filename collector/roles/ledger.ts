/** An open ledger: all parts of it that a command, a server or a test uses. */
import type { FastifyInstance } from 'fastify';
import { createServer } from '../http/server.ts';
import { homeKeyReader } from '../process/home-key.ts';
import { closeServer, createAccess, readTls } from '../process/serving.ts';
import type { Store } from '../stores/store.ts';
import type { LedgerParts } from './parts.ts';
import type { Role } from './role.ts';

export interface Ledger
  extends Pick<Store, 'storeId' | 'log' | 'views' | 'tokens' | 'right'>,
    Pick<LedgerParts, 'subscription' | 'ingest' | 'sealer'> {
  readonly role: Role;
  readonly parts: LedgerParts;
  /**
   * Another process writes to this store; this one reads it, as far as that process has folded it.
   * With MongoDB this may change.
   */
  readonly readOnly: boolean;
  readonly app: FastifyInstance;
  /**
   * Ingests what dead producers left in the spool and previews what living ones have not shipped,
   * then folds it. Rejects when the store fails.
   */
  drainSpool(): Promise<void>;
  /** Finishes requests, commits, closes the store and releases its lock. */
  close(): Promise<void>;
}

export interface AssembleOptions {
  readonly parts: LedgerParts;
  readonly role: Role;
  readonly machineToken: string | null;
}

/** Starts folding where role and right allow it. When it rejects, the caller closes the store. */
export async function assembleLedger(options: AssembleOptions): Promise<Ledger> {
  const { role, parts } = options;
  const { store, subscription, ingest, sealer, spoolReader } = parts;
  const { storeId, log, views, tokens, right } = store;
  const app = await serve(options);
  if (role.leaderTasks !== null && right.isHeld()) subscription.begin();
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
    role,
    parts,
    app,
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

function serve({ role, parts, machineToken }: AssembleOptions): Promise<FastifyInstance> {
  const { config, store, logger, version, now } = parts;
  return createServer({
    routes: role.routes(parts),
    version,
    access: createAccess(config, {
      tokens: store.tokens,
      machineToken,
      now,
      readHomeKey: homeKeyReader(config.home, logger.reporter('in the background')),
    }),
    tls: machineToken === null || config.tls === null ? null : readTls(config.tls),
    logger: logger.forServer,
  });
}
