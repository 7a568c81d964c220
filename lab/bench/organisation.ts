/**
 * A slice of an organisation's month through the real chain: the agents' own transport (a proof and
 * a batch over a connection of its own) to two gateways, Kafka, two workers, a MongoDB-compatible
 * server. First at a steady rate in batches as agents send them, then in larger ones, as after an
 * outage. What each part costs an event, in processor time and bytes, and what fifty thousand
 * developers need by that.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { liveBatches } from './live-work.ts';
import { arithmeticRows, demand } from './organisation/arithmetic.ts';
import { type Chain, partNames, withChain } from './organisation/chain.ts';
import { type Figures, figuresOf } from './organisation/figures.ts';
import { measureOneWorker } from './organisation/one-worker.ts';
import { createSending } from './organisation/sending.ts';
import { seed } from './overview/work.ts';
import { playPaced } from './paced.ts';

const minutesDefault = 2;
const eventsPerSecond = 300;
const sendersMax = 64;
const sessionsOpen = 500;
/** Warm-up; not counted. */
const warmUpSeconds = 45;
const idleSeconds = 15;

const phases = [
  { what: 'batches of 4, as an agent at work sends them', eventsMax: 4 },
  { what: 'batches of 100, as a spool is sent after an outage', eventsMax: 100 },
] as const;

export const organisation: Benchmark = {
  name: 'organisation',
  budget:
    `what ${demand.users.toLocaleString('en-US')} users need who make ` +
    `${demand.eventsPerUserDay} events each a day: no budget`,
  run: (options) =>
    options.isOneWorker ? measureOneWorker(options) : withChain((chain) => measure(chain, options)),
};

async function measure(chain: Chain, options: BenchOptions): Promise<readonly Row[]> {
  const seconds = (options.minutes ?? minutesDefault) * 60;
  const rows: Row[] = [];
  let [sent, first]: [number, Figures | null] = [0, null];
  for (const [index, { what, eventsMax }] of phases.entries()) {
    const batches = liveBatches({ sessionsOpen, eventsMax, part: index });
    const load = { batches, eventsPerSecond, sendersMax, send: createSending(chain) };
    sent += (await playPaced({ ...load, seconds: warmUpSeconds })).events;
    await chain.folded(sent);
    const idle = await chain.measure();
    await sleep(idleSeconds * 1_000);
    const before = await chain.measure();
    const paced = await playPaced({ ...load, seconds });
    sent += paced.events;
    const sentMs = performance.now();
    await chain.folded(sent);
    const foldedSeconds = (performance.now() - sentMs) / 1_000;
    const figures = figuresOf([idle, before, await chain.measure()], { paced, foldedSeconds });
    rows.push(...phaseRows(what, figures));
    first ??= figures;
  }
  return first === null ? rows : [...rows, ...arithmeticRows(first)];
}

function phaseRows(what: string, figures: Figures): readonly Row[] {
  const { paced, cpuUs, idleCores, foldedSeconds, load } = figures;
  const { events, batches, seconds, lateMsMax } = paced;
  return [
    ...partNames.map(
      (part): Row => ({
        what: `${what}: ${part}, an event`,
        measured: cpuUs[part],
        unit: 'us',
        note: `of CPU; at rest ${idleCores[part].toFixed(3)} cores, which are not in it`,
      }),
    ),
    {
      what: `${what}: acknowledged`,
      measured: events / seconds,
      unit: 'events/s',
      note:
        `${events.toLocaleString('en-US')} events in ${batches.toLocaleString('en-US')} batches, ` +
        `seed ${seed}; late by ${(lateMsMax / 1_000).toFixed(1)} s at most, load ${load}; ` +
        `all folded ${foldedSeconds.toFixed(1)} s after the last`,
    },
    { what: `${what}: in Kafka, an event`, measured: figures.kafkaBytes, unit: 'B' },
    { what: `${what}: in the database, an event`, measured: figures.databaseBytes, unit: 'B' },
    { what: `${what}: JSON, an event`, measured: figures.jsonBytes, unit: 'B' },
    ...partNames.map(
      (part): Row => ({
        what: `${what}: ${part}, resident`,
        measured: figures.residentMegabytes[part],
        unit: 'MB',
      }),
    ),
  ];
}
