/** A ledger of so many events: its size, its start, its answers, and a view folded anew. */
import type { BenchOptions } from '../benchmark.ts';
import { type CollectorProcess, commandLine, startCollector } from '../collector-process.ts';
import { liveEvents } from '../live-work.ts';
import { projectName } from '../overview/work.ts';
import { type Asking, asking } from '../page/asking.ts';
import { asksAt } from '../page/places.ts';
import { cpuSecondsOfEndedChildren } from '../proc.ts';
import { runProgram } from '../run-program.ts';
import { median, quantile } from '../statistics.ts';
import { live, nodeOptions } from './grow.ts';
import type { AnswersAt, LookLine } from './lines.ts';
import type { GrowthStore } from './stores.ts';

const starts = 3;
const rebuilt = 'sessions';
const runsMax = 10;

export async function look(
  store: GrowthStore,
  events: number,
  { runs }: BenchOptions,
): Promise<LookLine> {
  console.error(`  ${store.name}: looking at ${events.toLocaleString('en-US')} events`);
  const options = { home: store.lines.home, store: store.address, nodeOptions };
  const readyMs: number[] = [];
  while (readyMs.length < starts - 1) {
    const started = await startCollector(options);
    readyMs.push(started.readyMs);
    await started.stop();
  }
  const collector = await startCollector(options);
  readyMs.push(collector.readyMs);
  const residentBytes = await collector.residentBytes();
  const answers = await answersOf(collector, events, Math.min(runs, runsMax)).finally(
    collector.stop,
  );
  const storeBytes = await store.bytes();
  return {
    ...{ kind: 'look', events, storeBytes, readyMs, residentBytes, answers },
    rebuild: await rebuild(store),
  };
}

async function answersOf(
  collector: CollectorProcess,
  events: number,
  runs: number,
): Promise<AnswersAt[]> {
  const [first] = liveEvents(live, 0);
  // As on the day of the newest event.
  const [newest] = liveEvents(live, events - 1);
  const atMs = Date.parse(newest?.time ?? '');
  const places = ['/', `/projects/${projectName(7)}`, '/sessions', `/sessions/${first?.subject}`];
  const asked = asking(collector.url);
  try {
    const answers: AnswersAt[] = [];
    for (const place of [...places, '/compactions'])
      answers.push(await answersAt(place, { collector, asked, runs, atMs }));
    return answers;
  } finally {
    asked.close();
  }
}

interface Sampling {
  readonly collector: CollectorProcess;
  readonly asked: Asking;
  readonly runs: number;
  readonly atMs: number;
}

/** Asked once before, so that what is prepared for the first time does not count. */
async function answersAt(place: string, { collector, asked, runs }: Sampling): Promise<AnswersAt> {
  const asks = asksAt(place);
  const refused: string[] = [];
  for (const each of asks) if ((await asked.ask(each)).status !== 200) refused.push(each);
  const samples = new Map(asks.map((each) => [each, [] as number[]]));
  const cpuSeconds = await collector.cpuSeconds();
  for (let run = 0; run < runs; run += 1)
    for (const [each, ms] of samples) ms.push((await asked.ask(each)).ms);
  const cpuMs = (((await collector.cpuSeconds()) - cpuSeconds) * 1_000) / runs;
  const ranked = [...samples]
    .map(([each, ms]) => ({ each, p95: quantile(ms, 0.95) }))
    .toSorted((left, right) => right.p95 - left.p95);
  return {
    ...{ place, asks: asks.length, refused, cpuMs },
    ms: [...samples.values()].reduce((sum, ms) => sum + median(ms), 0),
    slowestMs: ranked[0]?.p95 ?? 0,
    slowest: ranked[0]?.each ?? '',
  };
}

async function rebuild({ lines, address }: GrowthStore): Promise<LookLine['rebuild']> {
  const before = await cpuSecondsOfEndedChildren();
  const command = [process.execPath, commandLine, 'rebuild', rebuilt, '--json'];
  const environment = { PI_LEDGER_HOME: lines.home, PI_LEDGER_STORE: address };
  const { stdout } = await runProgram(command, environment);
  const { durationMs } = JSON.parse(stdout) as { durationMs: number };
  return {
    seconds: durationMs / 1_000,
    cpuSeconds: (await cpuSecondsOfEndedChildren()) - before,
  };
}
