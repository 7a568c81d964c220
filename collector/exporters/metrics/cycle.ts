/**
 * One look at the counters by a reader that has a checkpoint: its state is stored before anything
 * is shown, so whoever continues it, here or elsewhere, continues what was shown.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Counters } from '@pi-ledger/contract/telemetry/counters';
import type { Checkpoints } from '../../log/checkpoints.ts';
import { type SeriesLimits, seriesLimits } from './admission.ts';
import { type Exposition, expose, exposeAsShown } from './exposition.ts';
import { type KeyedMetric, type KeyedReading, keyed } from './series.ts';
import { type ExporterState, readState, withZerosSeen, writeState } from './state.ts';

export interface CycleOptions {
  readonly counters: Counters;
  readonly checkpoints: Pick<Checkpoints, 'read' | 'move'>;
  /** The reader names the checkpoint: it is unique, and never changes. */
  readonly reader: string;
  readonly now: () => number;
  readonly limits?: Partial<SeriesLimits>;
}

export interface Cycle {
  readonly exposition: Exposition;
  /** Names the state that is stored: another one, another number. */
  readonly revision: number;
}

/** What the reader knows of the zeros that were shown. */
export interface Zeros {
  /** Since when those are zero that are new now. */
  readonly sinceMs: number;
  isSeen(sinceMs: number, revision: number): boolean;
}

/** Others that read at the same time may be faster. */
const triesMax = 10;

/** Resolves to null without counters. Rejects when the store fails; then nothing may be shown. */
export async function runCycle(options: CycleOptions, zeros: Zeros): Promise<Cycle | null> {
  const { reader, now, limits } = options;
  for (let tries = 0; tries < triesMax; tries++) {
    // The counters come second: a state is never newer than they are.
    const stored = await readStored(options);
    const reading = await readKeyed(options);
    if (reading === null) return null;
    const { revision } = stored;
    const seen =
      stored.state === null
        ? null
        : withZerosSeen(stored.state, (sinceMs) => zeros.isSeen(sinceMs, revision));
    const { state, exposition } = await expose(seen, reading, {
      nowMs: now(),
      zerosSinceMs: zeros.sinceMs,
      limits: { ...seriesLimits, ...limits },
    });
    if (state === stored.state) return { exposition, revision };
    const next = revision + 1;
    if ((await moveTo(options, stored, next, state)) === 'moved')
      return { exposition, revision: next };
  }
  throw new Error(`Too many read the metrics of ${reader} at once.`);
}

/** Stores nothing: another collector shows them. Null: it has shown nothing of these counters. */
export async function readAsShown(options: CycleOptions): Promise<Exposition | null> {
  const { state } = await readStored(options);
  const reading = await readKeyed(options);
  return state === null || reading === null
    ? null
    : exposeAsShown(state, reading, { ...seriesLimits, ...options.limits });
}

/** Others get the thread between two metrics. */
async function readKeyed({ counters }: CycleOptions): Promise<KeyedReading | null> {
  const reading = await counters.read();
  if (reading === null) return null;
  const metrics: KeyedMetric[] = [];
  for (const each of reading.metrics) {
    await nextTurn();
    metrics.push(await keyed(each));
  }
  return { generation: reading.generation, metrics };
}

interface Stored {
  readonly state: ExporterState | null;
  /** 0: there is no checkpoint. */
  readonly revision: number;
}

async function readStored({ checkpoints, reader }: CycleOptions): Promise<Stored> {
  const found = await checkpoints.read(reader);
  return { state: readState(found?.state ?? null), revision: found?.position ?? 0 };
}

function moveTo(
  { checkpoints, reader }: CycleOptions,
  { revision }: Stored,
  next: number,
  state: ExporterState,
): Promise<'moved' | 'stale'> {
  return checkpoints.move(reader, revision === 0 ? null : revision, next, writeState(state));
}
