/**
 * Whether one worker carries the organisation's peak: what gateways would write is written to Kafka
 * at that rate, in batches as agents at work send them and as after an outage, while sessions of
 * others are in the ledger. It holds when the lag at the end is no larger than after the first
 * minute, with less than `coresMax` of a core.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEvent } from '@pi-ledger/contract';
import type { BenchOptions, Row } from '../benchmark.ts';
import { liveBatches } from '../live-work.ts';
import { seed, work } from '../overview/work.ts';
import { playPaced } from '../paced.ts';
import { peakEventsPerSecond } from './arithmetic.ts';
import { type LoneWorker, type Spent, type StoreName, withLoneWorker } from './lone-worker.ts';
import { drainRows, type Paced, pacedRows } from './one-worker-rows.ts';

const minutesDefault = 10;
/** In the ledger before anything is measured; of each its first events. */
const othersEventsDefault = 160_000;
const eventsOfOther = 8;
const sessionsOpen = 2_000;
/** Batches that wait for Kafka at once. */
const sendersMax = 64;
const lookEveryMs = 10_000;
const firstMinuteMs = 60_000;
/** A topic that is filled in advance has so much of the load; one that is behind by more has it. */
const filledSeconds = 30;
/** Until the machine code is made; not counted. */
const warmUpMs = 3_000;
const drainMsMax = 120_000;
const drainLookMs = 500;

const phases = [
  { what: 'batches of 4', eventsMax: 4 },
  { what: 'batches of 100', eventsMax: 100 },
] as const;

export async function measureOneWorker(options: BenchOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const store of options.stores)
    rows.push(...(await withLoneWorker(store, (worker) => measure(store, worker, options))));
  return rows;
}

async function measure(
  store: StoreName,
  worker: LoneWorker,
  options: BenchOptions,
): Promise<readonly Row[]> {
  const rate = options.eventsPerSecond ?? peakEventsPerSecond();
  const seconds = (options.minutes ?? minutesDefault) * 60;
  const others = options.events ?? othersEventsDefault;
  const rows: Row[] = [];
  const add = (more: readonly Row[]): void => {
    rows.push(...more);
    // A long run shows what it has.
    for (const { what, measured, unit, note } of more)
      console.error(`  ${what}: ${measured?.toFixed(3)} ${unit}; ${note ?? ''}`);
  };
  await fill(worker, otherSessions(others), others, rate);
  await worker.start();
  add(
    drainRows(
      `${store}, sessions of others`,
      await drain(worker, Number.POSITIVE_INFINITY),
      loadNow(),
    ),
  );
  for (const [index, { what, eventsMax }] of phases.entries()) {
    const paced = live(eventsMax, 2 * index + 1);
    const seen = await playAtRate(worker, paced, { rate, seconds });
    add(pacedRows(`${store}, ${what}`, seen, `seed ${seed}, load ${loadNow()}`));
    if ((await lag(worker)) < rate * filledSeconds) {
      await worker.stop();
      await fill(worker, live(eventsMax, 2 * index + 2), rate * filledSeconds, rate);
      await worker.start();
    }
    add(drainRows(`${store}, ${what}`, await drain(worker), loadNow()));
  }
  return rows;
}

function loadNow(): string {
  return loadavg()[0]?.toFixed(0) ?? '';
}

/** All of one day, as sessions that are open at the same time are. */
function live(eventsMax: number, part: number): Generator<readonly LedgerEvent[]> {
  return liveBatches({ sessionsOpen, eventsMax, part, sessionsPerDay: Number.MAX_SAFE_INTEGER });
}

function* otherSessions(events: number): Generator<readonly LedgerEvent[]> {
  let made = 0;
  for (const session of work()) {
    if (made >= events) return;
    yield session.slice(0, eventsOfOther);
    made += Math.min(session.length, eventsOfOther);
  }
}

/** As fast as Kafka takes it, but received at the rate: what is received at once is one append. */
async function fill(
  { records }: LoneWorker,
  batches: Iterator<readonly LedgerEvent[]>,
  events: number,
  rate: number,
): Promise<void> {
  const startedMs = Date.now() - (events / rate) * 1_000;
  let made = 0;
  async function sendOwn(): Promise<void> {
    while (made < events) {
      const { value, done } = batches.next();
      if (done === true) return;
      const receivedAtMs = Math.floor(startedMs + (made / rate) * 1_000);
      made += value.length;
      await records.send(value, receivedAtMs);
    }
  }
  // One for each gateway, so that a send has one batch, as at the rate.
  await Promise.all([sendOwn(), sendOwn()]);
}

/** Until all that is in the topic is folded, or for a while. */
async function drain(worker: LoneWorker, msMax = drainMsMax): Promise<readonly [Spent, Spent]> {
  const startedMs = performance.now();
  let before = await worker.spent();
  for (;;) {
    await sleep(drainLookMs);
    const now = await worker.spent();
    if (now.folded >= worker.records.sent() || now.atMs - startedMs > msMax) return [before, now];
    if (now.atMs - startedMs < warmUpMs) before = now;
  }
}

async function lag({ records, spent }: LoneWorker): Promise<number> {
  return Math.max(0, records.sent() - (await spent()).folded);
}

async function playAtRate(
  worker: LoneWorker,
  batches: Iterator<readonly LedgerEvent[]>,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<Paced> {
  const { records } = worker;
  const looks: { readonly spent: Spent; readonly lag: number }[] = [];
  const look = async (): Promise<void> => {
    const spent = await worker.spent();
    looks.push({ spent, lag: Math.max(0, records.sent() - spent.folded) });
  };
  const ending = new AbortController();
  const looking = (async () => {
    for (let after = 0; after < seconds * 1_000; after += lookEveryMs) {
      await sleep(lookEveryMs, undefined, { signal: ending.signal });
      await look();
    }
  })();
  const ended = looking.catch(() => undefined); // the load has failed
  try {
    const load = { batches, eventsPerSecond: rate, seconds, sendersMax };
    const { lateMsMax } = await playPaced({
      ...load,
      send: (events) => records.send(events, Date.now()),
    });
    await looking;
    return { rate, lateMsMax, looks, firstMinute: Math.round(firstMinuteMs / lookEveryMs) - 1 };
  } finally {
    ending.abort();
    await ended;
  }
}
