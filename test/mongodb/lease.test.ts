import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import {
  connectMongodb,
  type MongodbConnection,
} from '../../collector/stores/mongodb/connection.ts';
import {
  createLease,
  type Lease,
  type LeaseOptions,
  readLeaseHolder,
  takeLease,
} from '../../collector/stores/mongodb/lease.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { type BadNetwork, startProxy } from '../services/mongodb/proxy.ts';

const databases = laneDatabases();
/**
 * Long enough for a slow server on a busy machine: an answer that takes longer than a lease is an
 * error.
 */
const times = { leaseMs: 15_000, renewEveryMs: 500, marginMs: 5_000 };
let connection: MongodbConnection;
let held: Lease[] = [];

beforeAll(async () => {
  connection = await connectMongodb({ uri: databases.uri() });
  await createLease(connection.database);
});

afterEach(async () => {
  for (const lease of held) await lease.release();
  held = [];
});

afterAll(() => connection.close());

async function take(holder: string, options: Partial<LeaseOptions> = {}): Promise<Lease | null> {
  const lease = await takeLease({
    database: connection.database,
    holder,
    times,
    onError: () => undefined,
    ...options,
  });
  if (lease !== null) held.push(lease);
  return lease;
}

describe('the lease', () => {
  it('is made once, however often', async () => {
    await Promise.all([createLease(connection.database), createLease(connection.database)]);
    expect(await connection.database.collection('leases').countDocuments()).toBe(1);
  });

  it('has one named holder until it is released, then one of a higher number', async () => {
    const one = await take('one');
    expect(one?.isHeld()).toBe(true);
    expect(await take('two')).toBeNull();
    expect(await readLeaseHolder(connection.database)).toBe('one');
    await one?.release();
    expect([one?.isHeld(), await one?.confirm()]).toEqual([false, false]);
    expect(await readLeaseHolder(connection.database)).toBeNull();
    const two = await take('two');
    expect(two?.fencingNumber).toBe((one?.fencingNumber ?? 0) + 1);
  });

  it('is renewed for as long as its holder lives', async () => {
    const one = await take('one');
    for (const untilMs = performance.now() + 2 * times.leaseMs; performance.now() < untilMs; ) {
      expect(await take('two')).toBeNull();
      await sleep(50);
    }
    expect(one?.isHeld()).toBe(true);
    expect(await one?.confirm()).toBe(true);
  });

  describe('over a bad network', () => {
    let proxy: BadNetwork;
    let far: MongodbConnection;

    beforeEach(async () => {
      proxy = await startProxy(inject('mongodb')?.uri ?? '');
      far = await connectMongodb({ uri: proxy.uri(databases.uri()) });
      await createLease(far.database);
    });

    afterEach(async () => {
      proxy.resume();
      proxy.slow(0);
      for (const lease of held.splice(0)) await lease.release();
      await far.close();
      await proxy.close();
    });

    it('is kept by a holder whose renewals are answered after the next one is due', async () => {
      const one = await take('one', { database: far.database });
      let isLost = false;
      void one?.lost.then(() => {
        isLost = true;
      });
      proxy.slow(times.renewEveryMs);
      for (const untilMs = performance.now() + 2 * times.leaseMs; performance.now() < untilMs; ) {
        expect([one?.isHeld(), isLost]).toEqual([true, false]);
        await sleep(50);
      }
    });

    it('is lost before its end when nothing answers several pending renewals', async () => {
      const one = await take('one', { database: far.database });
      const takenAtMs = performance.now();
      proxy.hang();
      await one?.lost;
      expect(performance.now() - takenAtMs).toBeLessThan(times.leaseMs);
      expect(one?.isHeld()).toBe(false);
    });

    it('does not come back with an answer that arrives after its end', async () => {
      const errors: unknown[] = [];
      let nowMs = 0;
      const one = await take('one', {
        database: far.database,
        monotonicMs: () => nowMs,
        onError: (error) => errors.push(error),
      });
      proxy.hang();
      await sleep(2 * times.renewEveryMs); // a renewal is under way
      nowMs = times.leaseMs - times.marginMs;
      proxy.resume();
      await one?.lost;
      nowMs = 0;
      expect(one?.isHeld()).toBe(false);
      expect(errors).toEqual([]);
    });
  });

  it('goes at once from a holder that is known to have ended, and from no other', async () => {
    const one = await take('one');
    expect(await take('two', { isGone: (holder) => holder === 'none' })).toBeNull();
    const two = await take('two', { isGone: (holder) => holder === 'one' });
    expect(two?.fencingNumber).toBe((one?.fencingNumber ?? 0) + 1);
    expect(await one?.confirm()).toBe(false);
    expect(await two?.confirm()).toBe(true);
  });

  it('goes to exactly one of many who ask at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const taken = await Promise.all(
        Array.from({ length: 5 }, (_, index) => take(`taker ${index}`)),
      );
      const winners = taken.filter((lease) => lease !== null);
      expect(winners).toHaveLength(1);
      await winners[0]?.release();
    }
  });

  it('is given up before its end by a suspended holder, and the next one gets it', async () => {
    let nowMs = 0;
    const one = await take('one', { monotonicMs: () => nowMs });
    nowMs = times.leaseMs - times.marginMs;
    expect(one?.isHeld()).toBe(false);
    await one?.lost;
    await expect.poll(() => take('two'), { interval: 50 }).not.toBeNull();
    expect(await one?.confirm()).toBe(false);
  });

  it('can be taken again at once by the slow process that lost it, with a new number', async () => {
    let nowMs = 0;
    const one = await take('one', { monotonicMs: () => nowMs });
    nowMs = times.leaseMs;
    await one?.lost;
    const again = await take('one');
    expect(again?.fencingNumber).toBe((one?.fencingNumber ?? 0) + 1);
  });

  it('is lost when somebody else has it, and says so within one renewal', async () => {
    const one = await take('one');
    await connection.database
      .collection('leases')
      .updateOne({}, { $set: { holder: 'thief' }, $inc: { fencingNumber: 1 } });
    await one?.lost;
    expect(one?.isHeld()).toBe(false);
    await connection.database
      .collection('leases')
      .updateOne({}, { $set: { expiresAt: new Date(0) } });
  });
});
