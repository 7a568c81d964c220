import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { toRanges } from '../../collector/log/ranges.ts';
import type { MongodbLog } from '../../collector/stores/mongodb/log/log.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { uriOf } from '../services/mongodb/databases.ts';
import {
  isLocalServerPossible,
  type LocalServer,
  type ServerPart,
  startLocalServer,
} from '../services/mongodb/local-server.ts';
import { batchEvents } from '../suites/log/append-for-ever.ts';
import { expectSound } from '../suites/log/kills.ts';
import { eventually } from '../support/eventually.ts';
import { openLaneLog } from './support/lane-log.ts';

let server: LocalServer | null = null;

afterEach(() => server?.stop());

interface Sending {
  /** First numbers of the acknowledged batches. */
  readonly acked: ReadonlySet<number>;
  refusals(): number;
  stop(): Promise<void>;
}

/** Two senders that offer each batch until it is acknowledged, like shippers. */
function startSending(log: MongodbLog): Sending {
  const acked = new Set<number>();
  let refusals = 0;
  let isWanted = true;
  const offer = async (first: number): Promise<void> => {
    try {
      await log.append({
        receivedAtMs: Date.now(),
        events: exampleEvents(first, batchEvents),
        deadLetters: [],
      });
      acked.add(first);
    } catch {
      refusals += 1;
      await sleep(50);
    }
  };
  const send = async (from: number): Promise<void> => {
    for (let first = from; isWanted; first += 2 * batchEvents)
      while (!acked.has(first)) await offer(first);
  };
  const sending = Promise.all([send(1), send(1 + batchEvents)]);
  return {
    acked,
    refusals: () => refusals,
    async stop() {
      isWanted = false;
      await sending;
    },
  };
}

async function ackedMore({ acked }: Sending, more: number): Promise<void> {
  const target = acked.size + more;
  await expect.poll(() => acked.size, { interval: 5 }).toBeGreaterThanOrEqual(target);
}

/**
 * Asks until there is an answer, as senders do: the gateway may still hold connections to the
 * database that was killed, and tells whoever gets one of them.
 */
function answered<T>(ask: () => Promise<T>): Promise<T> {
  return eventually(ask);
}

it.skipIf(!isLocalServerPossible()).each(['gateway', 'database'] as const satisfies ServerPart[])(
  'has every acknowledged event once after kill -9 of the %s under load, and continues',
  async (part) => {
    const own = await startLocalServer(process.env);
    server = own;
    const log = await openLaneLog(uriOf(own.uri, 'killed'));
    const sending = startSending(log);
    for (let round = 0; round < 6; round += 1) {
      await ackedMore(sending, 5);
      await sleep(Math.random() * 50);
      await own.kill(part);
      await sleep(Math.random() * 300);
      await own.restart(part);
    }
    await ackedMore(sending, 5);
    await sending.stop();
    expect(sending.refusals()).toBeGreaterThan(0);
    const stored = await answered(() => log.read(0, 10_000_000));
    expectSound(stored, sending.acked, true);
    const sequences = stored.map(({ event }) => Number(event.sequence));
    expect(await answered(() => log.receipts())).toEqual([
      { source: '/producers/one', ranges: toRanges(sequences) },
    ]);
    await log.close();
  },
);
