/**
 * The lease on a store in MongoDB: one collector at a time appends and folds, the others stand by.
 *
 * It only keeps collectors from getting in each other's way. That two of them can do no harm
 * together is the doing of the unique keys of the log and of the checkpoints of the views: a
 * process that was halted, or whose computer slept, may for a moment take an old lease for a valid
 * one.
 *
 * Time is the server's alone ($$NOW); the holder counts its own monotonic clock from before it
 * asked, and stops early. Each holder has a higher fencing number than the one before. The document
 * is made first and taken without upsert: with it, two takers at once get an error that compatible
 * servers name differently.
 */
import type { Collection, Db, Filter } from 'mongodb';
import { within } from '../../timers/within.ts';
import { isDuplicateKey } from './write-errors.ts';

/**
 * Contract: `isHeld` never throws and asks nobody; `confirm` asks the server and rejects when that
 * does not answer; `lost` resolves, once, when the lease is another's or may have ended, and never
 * rejects; `release` ends it at once, for the next to take, and never rejects.
 */
export interface Lease {
  /** Grows by one with each holder. */
  readonly fencingNumber: number;
  readonly lost: Promise<void>;
  isHeld(): boolean;
  confirm(): Promise<boolean>;
  release(): Promise<void>;
}

interface LeaseTimes {
  /** So long after its last renewal another may take it. */
  readonly leaseMs: number;
  /**
   * The next renewal is sent then, whether or not the one before was answered: at most `leaseMs /
   * renewEveryMs` and one are waited for.
   */
  readonly renewEveryMs: number;
  /** So long before the end the holder stops: what it has sent by then should have arrived. */
  readonly marginMs: number;
}

const leaseTimesDefault: LeaseTimes = { leaseMs: 6_000, renewEveryMs: 1_500, marginMs: 1_500 };

export interface LeaseOptions {
  readonly database: Db;
  /** Tells this process from all others, and tells people which one it is. */
  readonly holder: string;
  readonly times?: LeaseTimes;
  /**
   * Whether another holder is certain to have ended: then nobody waits for its lease to end. Must
   * not throw. Absent: nobody knows.
   */
  readonly isGone?: (holder: string) => boolean;
  readonly monotonicMs?: () => number;
  /** A renewal that failed; it is tried again until the lease has ended. Must not throw. */
  onError(error: unknown): void;
}

interface LeaseDocument {
  readonly _id: 'writer';
  readonly holder: string | null;
  readonly fencingNumber: bigint;
  readonly expiresAt: Date;
}

/**
 * Null when another holds it; what this holder still has is replaced. Rejects when the server does
 * not answer.
 */
export async function takeLease(options: LeaseOptions): Promise<Lease | null> {
  const {
    database,
    holder,
    times = leaseTimesDefault,
    monotonicMs = () => performance.now(),
  } = options;
  const leases = leasesOf(database);
  const askedAtMs = monotonicMs();
  const free = { $or: [{ holder }, { $expr: { $lte: ['$expiresAt', '$$NOW'] } }] };
  const taken =
    (await take(leases, free, options, times)) ?? (await takeFromGone(leases, options, times));
  if (taken === null) return null;
  return holdLease({ ...options, times, monotonicMs }, leases, taken.fencingNumber, askedAtMs);
}

/** To be called before the first `takeLease` on a database. */
export async function createLease(database: Db): Promise<void> {
  try {
    await leasesOf(database).insertOne({
      _id: 'writer',
      holder: null,
      fencingNumber: 0n,
      expiresAt: new Date(0),
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Who holds it, for messages to people; null when nobody does. */
export async function readLeaseHolder(database: Db): Promise<string | null> {
  const found = await leasesOf(database).findOne({
    _id: 'writer',
    $expr: { $gt: ['$expiresAt', '$$NOW'] },
  });
  return found?.holder ?? null;
}

function leasesOf(database: Db): Collection<LeaseDocument> {
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

/** A lease that a process left behind which was killed on this computer. */
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

  /** Not beyond an end that has come: by then it was taken for lost. */
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
   * Never rejects. The one before may still be under way: a slow answer counts from when it was
   * asked for, and a connection that hangs holds up no other.
   */
  async function renew(): Promise<void> {
    // Before it is asked: a process that was halted finds out before it does anything else.
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
 * A connection that hangs must not cost the lease: the driver itself gives up after 20 s only. What
 * is given up here may still be done; all that is asked of the server may be done late.
 */
async function answered<Answer>(asked: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  asked.catch(() => undefined); // the race reports it, or came to its end before
  const answer = await within(timeoutMs, asked);
  if (answer === 'timeout') throw new Error(`No answer about the lease within ${timeoutMs} ms.`);
  return answer;
}
