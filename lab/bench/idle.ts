/**
 * An idle collector: how soon it is ready, and how much memory it keeps. On an empty store, and on
 * the demo's month.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { startCollector } from './collector-process.ts';
import { fillStore } from './demo-events.ts';
import { runProgram } from './run-program.ts';
import { median, spread } from './statistics.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const readyMsMax = 500;
const residentMegabytesMax = 120;

export const idle: Benchmark = {
  name: 'idle',
  budget:
    `collector: ready <= ${readyMsMax} ms after its start, ` +
    `idle <= ${residentMegabytesMax} MB resident`,
  async run(options) {
    const empty = await withTemporaryDirectory((home) => measure('empty store', home, options));
    const demo = await withTemporaryDirectory(async (home) => {
      await fillStore(home);
      return measure("demo's month", home, options);
    });
    return [...empty, ...demo];
  },
};

async function measure(
  store: string,
  home: string,
  { runs, idleSeconds }: BenchOptions,
): Promise<Row[]> {
  const ready: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    bare.push((await runProgram([process.execPath, '-e', '0'])).wallMs);
    const collector = await startCollector({ home });
    ready.push(collector.readyMs);
    await collector.stop();
  }
  const collector = await startCollector({ home });
  const atOnce = await collector.residentBytes();
  await sleep(idleSeconds * 1_000);
  const residentMegabytes = (await collector.residentBytes()) / 1e6;
  await collector.stop();
  const note = `after ${idleSeconds} s; ${(atOnce / 1e6).toFixed(0)} MB when it became ready`;
  return [
    {
      what: `${store}: ready`,
      measured: median(ready),
      unit: 'ms',
      budget: { max: readyMsMax },
      baseline: { what: 'node -e 0', measured: median(bare) },
      note: `middle half ${spread(ready, 0)}`,
    },
    {
      what: `${store}: resident`,
      measured: residentMegabytes,
      unit: 'MB',
      budget: { max: residentMegabytesMax },
      note,
    },
  ];
}
