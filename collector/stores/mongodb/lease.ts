/**
 * The lease on a store in MongoDB: one collector at a time appends and folds, the others stand by.
 *
 * The lease only keeps collectors out of each other's way. What makes two of them harmless together
 * are the unique keys of the log and the checkpoints of the views: a process that was suspended, or
 * whose computer slept, may briefly take an old lease for a valid one.
 *
 * Time is the server's alone ($$NOW); the holder counts its own monotonic clock from before it
 * asked, and stops early. Each holder has a higher fencing number than the previous one. The
 * document is created first and taken without upsert: with an upsert, two takers at once get an
 * error that compatible servers name differently.
 */
import type { Collection, Db, Filter } from 'mongodb';
import { within } from '../../timers/within.ts';
import { isDuplicateKey } from './write-errors.ts';

/**
 * Contract: `isHeld` never throws and asks no server; `confirm` asks the server and rejects when it
 * does not answer; `lost` resolves, once, when the lease belongs to another process or may have
 * ended, and never rejects; `release` ends the lease at once, for the next taker, and never
 * rejects.
 */
export interface Lease {
  /** Increases by one with each holder. */
  readonly fencingNumber: number;
  readonly lost: Promise<void>;
  isHeld(): boolean;
  confirm(): Promise<boolean>;
  release(): Promise<void>;
}

interface LeaseTimes {
  /** How long after its last renewal another process may take it. */
  readonly leaseMs: number;
  /**
   * The next renewal is sent after this, whether or not the previous one was answered: at most
   * `leaseMs / renewEveryMs + 1` are pending.
   */
  readonly renewEveryMs: number;
  /** How long before the end the holder stops: time for its last writes to arrive. */
  readonly marginMs: number;
}

const leaseTimesDefault: LeaseTimes = { leaseMs: 6_000, renewEveryMs: 1_500, marginMs: 1_500 };

export interface LeaseOptions {
  readonly database: Db;
  /** Identifies this process, to others and to people. */
  readonly holder: string;
  readonly times?: LeaseTimes;
  /**
   * Whether another holder has certainly ended; its lease is then not waited for. Must not throw.
   * Absent: unknown for all holders.
   */
  readonly isGone?: (holder: string) => boolean;
  readonly monotonicMs?: () => number;
  /** Reports a failed renewal; renewals are retried until the lease has ended. Must not throw. */
  onError(error: unknown): void;
}

interface LeaseDocument {
  readonly _id: 'writer';
  readonly holder: string | null;
  readonly fencingNumber: bigint;
  readonly expiresAt: Date;
}

/**
 * Resolves to null when another process holds the lease; an earlier lease of this holder is
 * replaced. Rejects when the server does not answer.
 */
export async function takeLease(options: LeaseOptions): Promise<Lease | null> {
  const {
    database,
    holder,
    times = leaseTimesDefault,
    monotonicMs = () => performance.now(),
  } = options;
  const leases = leaseCollection(database);
  const askedAtMs = monotonicMs();
  const free = { $or: [{ holder }, { $expr: { $lte: ['$expiresAt', '$$NOW'] } }] };
  const taken =
    (await take(leases, free, options, times)) ?? (await takeFromGone(leases, options, times));
  if (taken === null) return null;
  return holdLease({ ...options, times, monotonicMs }, leases, taken.fencingNumber, askedAtMs);
}

/** Call it before the first `takeLease` on a database. */
export async function createLease(database: Db): Promise<void> {
  try {
    await leaseCollection(database).insertOne({
      _id: 'writer',
      holder: null,
      fencingNumber: 0n,
      expiresAt: new Date(0),
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** The holder, for messages; null when there is none. */
export async function readLeaseHolder(database: Db): Promise<string | null> {
  const found = await leaseCollection(database).findOne({
    _id: 'writer',
    $expr: { $gt: ['$expiresAt', '$$NOW'] },
  });
  return found?.holder ?? null;
}

function leaseCollection(database: Db): Collection<LeaseDocument> {
  return database.collection('leases', { useBigInt64: true });
}

function take(
  leases: Collection<LeaseDocument>,
  condition: Filter<LeaseDocument>,
  { holder }: Pick<LeaseOptions, 'holder'>,
  { leaseMs }: LeaseTimes,
): Promise<LeaseDocument | null> {
  const taking = leases.findOneAndUpdate(
    { _id: 'writer', ...condition },
    [
      {
        $set: {
          holder: { $literal: holder },
          fencingNumber: { $add: ['$fencingNumber', 1n] },
          expiresAt: fromNow(leaseMs),
        },
      },
    ],
    { returnDocument: 'after' },
  );
  return answered(taking, leaseMs);
}

/** Ends a lease left behind by a killed process of this computer. */
async function takeFromGone(
  leases: Collection<LeaseDocument>,
  options: LeaseOptions,
  times: LeaseTimes,
): Promise<LeaseDocument | null> {
  const { isGone = () => false } = options;
  const held = await answered(leases.findOne({ _id: 'writer' }), times.leaseMs);
  if (held === null || held.holder === null || !isGone(held.holder)) return null;
  return take(leases, { holder: held.holder, fencingNumber: held.fencingNumber }, options, times);
}

function fromNow(ms: number) {
  return { $add: ['$$NOW', ms] };
}

function holdLease(
  options: LeaseOptions & { readonly times: LeaseTimes; monotonicMs(): number },
  leases: Collection<LeaseDocument>,
  fencingNumber: bigint,
  takenAtMs: number,
): Lease {
  const { holder, times, monotonicMs, onError } = options;
  const own = { _id: 'writer', holder, fencingNumber } as const;
  const { promise: lost, resolve: loseIt } = Promise.withResolvers<void>();
  let endsAtMs = takenAtMs + times.leaseMs - times.marginMs;
  let isOver = false;
  const renewing = setInterval(() => void renew(), times.renewEveryMs);
  let ending = endLater();

  function end(): void {
    isOver = true;
    clearInterval(renewing);
    clearTimeout(ending);
    loseIt();
  }

  function isHeld(): boolean {
    return !isOver && monotonicMs() < endsAtMs;
  }

  function endLater(): NodeJS.Timeout {
    return setTimeout(end, Math.max(0, endsAtMs - monotonicMs()));
  }

  /** Does not extend a lease whose end has come: it was already treated as lost. */
  function extend(askedAtMs: number): void {
    if (!isHeld()) {
      end();
      return;
    }
    endsAtMs = Math.max(endsAtMs, askedAtMs + times.leaseMs - times.marginMs);
    clearTimeout(ending);
    ending = endLater();
  }

  /**
   * Never rejects. The previous renewal may still be pending: a slow answer counts from its
   * request, and a hanging connection delays no other.
   */
  async function renew(): Promise<void> {
    // Checked before the request: a suspended process notices first.
    if (!isHeld()) return end();
    const askedAtMs = monotonicMs();
    try {
      const renewal = [{ $set: { expiresAt: fromNow(times.leaseMs) } }];
      const { matchedCount } = await answered(leases.updateOne(own, renewal), times.leaseMs);
      if (matchedCount === 0) end();
      else extend(askedAtMs);
    } catch (error) {
      if (!isOver) onError(error);
    }
  }

  return {
    fencingNumber: Number(fencingNumber),
    lost,
    isHeld,
    async confirm() {
      const found = await answered(leases.findOne(own, { projection: { _id: 1 } }), times.leaseMs);
      if (found === null) end();
      return found !== null && isHeld();
    },
    async release() {
      if (isOver) return;
      end();
      await answered(
        leases.updateOne(own, [{ $set: { holder: null, expiresAt: '$$NOW' } }]),
        times.leaseMs,
      ).catch(onError);
    },
  };
}

/**
 * Limits a request, since a hanging connection must not cost the lease: the driver itself gives up
 * only after 20 s. A request given up here may still be executed; all requests may be executed
 * late.
 */
async function answered<Answer>(asked: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  asked.catch(() => undefined); // the race reports it, or has ended before
  const answer = await within(timeoutMs, asked);
  if (answer === 'timeout')
    throw new Error(`The server did not answer within ${timeoutMs} ms about the lease.`);
  return answer;
}
