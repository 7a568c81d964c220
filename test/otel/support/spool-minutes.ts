/** What a collector reads of a real spool, sample by sample, while a producer writes into it. */
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSpool } from '../../../collector/process/own-health/spool.ts';
import { segmentName } from '../../../core/spool/layout.ts';
import { encodeOwner } from '../../../core/spool/owner.ts';
import { createSpool } from '../../../core/spool/spool.ts';
import { draftOf } from '../../core/spool/support/drafts.ts';
import { ownerOf } from '../../core/spool/support/places.ts';
import type { FixtureSeries } from './fixture-series.ts';

export interface Played {
  readonly samples: number;
  readonly minutesASample: number;
  /** Whether what was written before a sample is sent before the next. */
  readonly ships: boolean;
  /** Labels of the series. */
  readonly labels: string;
}

/** The collector's gauges of a producer that writes an event before every sample. */
export async function spoolSeries(played: Played): Promise<readonly FixtureSeries[]> {
  const { samples, minutesASample, ships, labels } = played;
  const spoolDirectory = mkdtempSync(join(tmpdir(), 'pi-ledger-spool-'));
  const owner = ownerOf(1);
  const spool = createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 });
  const pathOf = (counter: number) =>
    join(spoolDirectory, encodeOwner(owner), segmentName(counter));
  const startMs = Date.now() - samples * minutesASample * 60_000;
  const silent: number[] = [];
  const sizes: number[] = [];
  for (let sample = 1; sample <= samples; sample += 1) {
    const nowMs = startMs + sample * minutesASample * 60_000;
    spool.append([draftOf(sample)]);
    const open = spool.seal() - 1;
    utimesSync(pathOf(open), nowMs / 1000, nowMs / 1000);
    if (ships && open > 1) rmSync(pathOf(open - 1));
    const read = await readSpool(spoolDirectory, nowMs);
    silent.push(read.silent);
    sizes.push(read.bytes);
  }
  rmSync(spoolDirectory, { recursive: true });
  return [
    seriesOf(`pi_ledger_producers_silent{${labels}}`, silent),
    seriesOf(`pi_ledger_spool_size_bytes{${labels}}`, sizes),
  ];
}

function seriesOf(series: string, values: readonly number[]): FixtureSeries {
  const [start = 0, ...later] = values;
  return {
    series,
    start,
    steps: later.map((value, index) => [1, value - (values[index] ?? 0)] as const),
  };
}
