/**
 * A store in MongoDB: the collector with the lease writes it; all others read it and stand by.
 *
 * Migrations run under the lease, before any write. A process without the lease waits for a
 * migrating one, and refuses a schema that it does not know.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { judgeLiveness, systemObserver } from '@pi-ledger/core/spool/liveness';
import { decodeOwner, encodeOwner, readOwner, type SpoolOwner } from '@pi-ledger/core/spool/owner';
import type { Db } from 'mongodb';
import { LedgerError } from '../../errors.ts';
import type { CellStore, OpenStoreOptions, Store, WriteRight } from '../store.ts';
import { expectOneCell } from './cell-count.ts';
import { openMongodbCheckpoints } from './checkpoints.ts';
import { connectMongodb } from './connection.ts';
import { createLease, type Lease, takeLease } from './lease.ts';
import { type MongodbLog, openMongodbLog } from './log/log.ts';
import { checkMongodbSchema, migrateMongodb } from './schema.ts';
import { openMongodbTokens } from './tokens.ts';
import { openMongodbViews } from './views/views.ts';

/** How long a starting process waits for another one that creates or migrates the store. */
const migrationMsMax = 30_000;
const migrationPollMs = 500;

/** Throws `cells_differ` for a ledger of several cells. */
export async function openMongodbStore(uri: string, options: OpenStoreOptions): Promise<Store> {
  const { database, close } = await connectMongodb({ uri });
  try {
    const cell = await openMongodbPart(database, options);
    try {
      await expectOneCell(database);
      if (cell.right.isHeld()) await cell.right.take();
    } catch (error) {
      await cell.close();
      throw error;
    }
    return {
      ...cell,
      async close() {
        await cell.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * A ledger in this database, or a part of one, migrated; `range`: of its positions. It may have the
 * lease from that, but takes its log over with `right.take` only. The connection stays open when it
 * is closed.
 */
export async function openMongodbPart(
  database: Db,
  options: OpenStoreOptions,
  range = 0,
): Promise<CellStore> {
  const holding = createHolding(database, options);
  try {
    await createLease(database);
    await prepare(database, holding);
    const log = await openMongodbLog({ database, range, right: holding });
    const views = openMongodbViews({ database });
    return {
      storeId: log.storeId,
      log,
      views,
      tokens: openMongodbTokens(database),
      checkpoints: openMongodbCheckpoints(database),
      trouble: () => null,
      right: createRight(holding, log),
      release: () => holding.release(),
      async close() {
        await views.close();
        await log.close();
        await holding.release();
      },
    };
  } catch (error) {
    await holding.release();
    throw error;
  }
}

/** Takes the lease and migrates, or waits until whoever has it has done so. */
async function prepare(database: Db, holding: Holding): Promise<void> {
  const untilMs = performance.now() + migrationMsMax;
  while (!(await holding.take())) {
    const lack = await findLack(database);
    if (lack === null) return;
    if (performance.now() > untilMs) throw lack;
    await sleep(migrationPollMs);
  }
}

/**
 * The error of a store that another process may be creating or migrating at the moment; null when
 * it can be read.
 */
async function findLack(database: Db): Promise<LedgerError | null> {
  try {
    await checkMongodbSchema(database);
    return null;
  } catch (error) {
    if (
      error instanceof LedgerError &&
      (error.code === 'store_missing' || error.code === 'store_outdated')
    )
      return error;
    throw error;
  }
}

/** Successive leases of this process. */
interface Holding {
  isHeld(): boolean;
  confirm(): Promise<boolean>;
  fencingNumber(): number | null;
  /** True when the lease is held and the store is migrated. */
  take(): Promise<boolean>;
  lost(): Promise<void>;
  release(): Promise<void>;
}

function createHolding(database: Db, { now, onError }: OpenStoreOptions): Holding {
  const owner = readOwner();
  const holder = `${hostname()} ${process.pid} ${encodeOwner(owner)} ${randomUUID()}`;
  const isGone = createGoneJudge(owner);
  let lease: Lease | null = null;

  return {
    isHeld: () => lease?.isHeld() ?? false,
    confirm: async () => (await lease?.confirm()) ?? false,
    fencingNumber: () => lease?.fencingNumber ?? null,
    async take() {
      if (lease?.isHeld()) return true;
      lease = await takeLease({ database, holder, isGone, onError });
      if (lease === null) return false;
      try {
        await migrateMongodb(database, { now });
        return lease.isHeld();
      } catch (error) {
        await lease.release();
        throw error;
      }
    },
    lost: () => lease?.lost ?? Promise.resolve(),
    release: async () => lease?.release(),
  };
}

/**
 * Recognises holders of this kernel (same boot id) that have ended; says nothing about others. A
 * host's name or id alone would not do: two computers that share them would take the lease from
 * each other for ever.
 */
function createGoneJudge(self: SpoolOwner): (holder: string) => boolean {
  const observer = systemObserver(self);
  return (holder) => {
    const owner = decodeOwner(holder.split(' ')[2] ?? '');
    return (
      owner !== null &&
      owner.bootId !== null &&
      owner.bootId === self.bootId &&
      judgeLiveness(owner, observer) === 'dead'
    );
  };
}

function createRight(holding: Holding, log: MongodbLog): WriteRight {
  /** The lease under which the log was taken over; remembers a failure in between. */
  let takenOverAs: number | null = null;
  return {
    isHeld: holding.isHeld,
    async take() {
      if (!(await holding.take())) return false;
      const fencingNumber = holding.fencingNumber();
      if (takenOverAs !== fencingNumber) await log.takeOver();
      takenOverAs = fencingNumber;
      return holding.isHeld();
    },
    lost: holding.lost,
  };
}
