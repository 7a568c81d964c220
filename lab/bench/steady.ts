/**
 * Two hours of a steady load: what is left in the heap after a collection, resident memory and open
 * descriptors, sampled all the time, and whether they were flat.
 *
 * In parts, of which each is one process of its own on the ledger that the part before left; a leak
 * that needs longer than a part to be seen is seen only in a longer one (`--minutes 120`).
 */
import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { type CollectorProcess, startCollector } from './collector-process.ts';
import { openSender, type Sender } from './ingest/send.ts';
import { keptLines, type Stamp } from './kept-lines.ts';
import { liveBatches } from './live-work.ts';
import { seed } from './overview/work.ts';
import { type Paced, playPaced } from './paced.ts';
import { residentFileBytesOf } from './proc.ts';
import { memoryReports } from './soak/memory-reports.ts';
import { type Flatness, flatnessOf, growthMax, type Sample } from './steady/flat.ts';

const minutesDefault = 2;
const minutesWanted = 120;
const eventsPerSecond = 500;
const sendersMax = 64;
const samplesPerMinute = 6;
const live = { sessionsOpen: 500, eventsMax: 4 };

export const steady: Benchmark = {
  name: 'steady',
  budget:
    `${minutesWanted} minutes at ${eventsPerSecond} events/s: heap, resident memory and ` +
    `descriptors are flat (the last quarter's median <= ${growthMax}x the quarter's before)`,
  async run({ minutes }: BenchOptions) {
    const lines = keptLines<PartLine>('steady');
    lines.add(await playPart(lines.home, lines.all(), minutes ?? minutesDefault));
    return rowsOf(lines.all());
  },
};

interface PartLine extends Paced {
  readonly seed: number;
  readonly minutes: number;
  readonly cpuSeconds: number;
  readonly samples: readonly Sample[];
  /** In the log when it had ended, of all parts. */
  readonly folded: number;
}

async function playPart(
  home: string,
  before: readonly PartLine[],
  minutes: number,
): Promise<PartLine> {
  const nodeOptions = ['--max-semi-space-size=16', ...memoryReports.nodeOptions];
  const collector = await startCollector({ home, nodeOptions });
  const sender = openSender({ url: collector.url, connections: sendersMax, gzip: true });
  const sampling = startSampling(collector, home);
  try {
    const paced = await playPaced({
      batches: batchesAfter(before.reduce((sum, { batches }) => sum + batches, 0)),
      ...{ eventsPerSecond, sendersMax, seconds: minutes * 60 },
      send: (events) => sendOne(sender, events),
    });
    const samples = await sampling.end();
    const folded = before.reduce((sum, { events }) => sum + events, 0) + paced.events;
    await collector.folded(folded);
    return { seed, minutes, ...paced, cpuSeconds: await collector.cpuSeconds(), samples, folded };
  } finally {
    await sampling.end();
    sender.close();
    await collector.stop();
  }
}

function batchesAfter(count: number): Iterator<readonly LedgerEvent[]> {
  const batches = liveBatches(live);
  for (let skipped = 0; skipped < count; skipped += 1) batches.next();
  return batches;
}

async function sendOne(sender: Sender, events: readonly LedgerEvent[]): Promise<void> {
  const { accepted, duplicates } = await sender.send(gzipSync(JSON.stringify(events)));
  // Duplicates: of a part that was interrupted and so is played again.
  if (accepted + duplicates !== events.length)
    throw new Error(`of ${events.length} events ${accepted} were taken in`);
}

function startSampling({ pid }: CollectorProcess, home: string) {
  const samples: Sample[] = [];
  const startedMs = performance.now();
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = last.then(async () => {
      const { rss, heapTotal, heapUsed, external } = await memoryReports.next(pid, home);
      const descriptors = (await readdir(`/proc/${pid}/fd`)).length;
      const second = Math.round((performance.now() - startedMs) / 1_000);
      samples.push({
        second,
        residentBytes: rss,
        fileBytes: await residentFileBytesOf(pid),
        reservedBytes: heapTotal,
        heapBytes: heapUsed,
        externalBytes: external,
        descriptors,
      });
    });
  }, 60_000 / samplesPerMinute);
  return {
    async end(): Promise<readonly Sample[]> {
      clearInterval(timer);
      await last;
      return samples;
    },
  };
}

function rowsOf(parts: readonly (PartLine & Stamp)[]): readonly Row[] {
  const played = parts.reduce((sum, { minutes }) => sum + minutes, 0);
  const longest = Math.max(...parts.map(({ minutes }) => minutes));
  return [
    ...parts.flatMap((part, index) => partRows(part, index + 1)),
    {
      what: 'of the two hours, played in one process at most',
      measured: longest / minutesWanted,
      unit: 'share',
      budget: { min: 1 },
      note: `${parts.length} parts, ${played} minutes in all`,
    },
  ];
}

function partRows(part: PartLine & Stamp, number: number): readonly Row[] {
  const label = `part ${number}, ${part.minutes} min`;
  const { events, seconds, cpuSeconds, lateMsMax, load, commit } = part;
  const flat = flatnessOf(part.samples);
  const row = (what: string, { last, before }: Flatness, unit: 'MB' | 'open'): Row => ({
    what: `${label}: ${what}, last quarter`,
    measured: last,
    unit,
    budget: { max: before * growthMax },
    baseline: { what: 'the quarter before', measured: before },
  });
  const shareRow = (what: string, { last, before }: Flatness): Row => ({
    what: `${label}: of what is resident, ${what}`,
    measured: last,
    unit: 'MB',
    baseline: { what: 'the quarter before', measured: before },
  });
  return [
    {
      what: `${label}: taken in and folded`,
      measured: (cpuSeconds * 1e6) / events,
      unit: 'us',
      note:
        `of CPU an event; ${events.toLocaleString('en-US')} events, ` +
        `${(events / seconds).toFixed(0)} a second, late by ${lateMsMax.toFixed(0)} ms at most; ` +
        `seed ${part.seed}, at ${commit}, load ${load}`,
    },
    row('heap after a collection', flat.heapMegabytes, 'MB'),
    row('resident', flat.residentMegabytes, 'MB'),
    shareRow('the heap, reserved', flat.reservedMegabytes),
    shareRow('pages of files', flat.fileMegabytes),
    shareRow('all else', flat.otherMegabytes),
    row('descriptors', flat.descriptors, 'open'),
  ];
}
