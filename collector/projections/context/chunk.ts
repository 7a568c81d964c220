/**
 * The document of one chunk: what ten minutes of a session's events say about its context, in
 * memory and as JSON.
 *
 * Guarantees: equal sets of events give equal text. Bounded: beyond the limits, the earliest facts
 * are kept and `left` counts the rest.
 */
import type { Cut } from './bounded.ts';
import { decodeEntry, encodeEntry } from './entry-text.ts';
import type {
  EntryFact,
  FailedFact,
  FixtureFact,
  LimitsFact,
  SampleFact,
  TimedFact,
  WindowFact,
} from './facts.ts';
import type { ContextMoment } from './moment.ts';

export interface ContextChunk {
  readonly session: string;
  /** The first 15 characters of the time of all its events: `2026-11-22T09:1`. */
  readonly bucket: string;
  firstAt: string;
  lastAt: string;
  events: number;
  readonly entries: EntryFact[];
  /** Compactions and branch summaries are kept apart, so that other entries never push them out. */
  readonly summaries: EntryFact[];
  /** The first entry and summary ever left out; nothing behind them is kept. */
  entriesCut?: Cut | undefined;
  summariesCut?: Cut | undefined;
  readonly timed: TimedFact[];
  readonly failed: FailedFact[];
  readonly samples: SampleFact[];
  readonly limits: LimitsFact[];
  readonly fixtures: FixtureFact[];
  readonly windows: Map<string, WindowFact>;
  readonly moments: ContextMoment[];
  momentsCut?: Cut | undefined;
  /** The number of facts that the limits left out. */
  left: number;
}

const bucketChars = 15;

/** Ten minutes of one session. */
export function chunkKey(session: string, time: string): string {
  return `${session}/${time.slice(0, bucketChars)}`;
}

export function createChunk(key: string): ContextChunk {
  return {
    session: key.slice(0, -bucketChars - 1),
    bucket: key.slice(-bucketChars),
    firstAt: '',
    lastAt: '',
    events: 0,
    entries: [],
    summaries: [],
    timed: [],
    failed: [],
    samples: [],
    limits: [],
    fixtures: [],
    windows: new Map(),
    moments: [],
    left: 0,
  };
}

export function encodeChunk(chunk: ContextChunk): string {
  const windows = [...chunk.windows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, window]) => window);
  const { entriesCut, summariesCut, momentsCut, ...facts } = chunk;
  return JSON.stringify({
    ...facts,
    entries: chunk.entries.map(encodeEntry),
    summaries: chunk.summaries.map(encodeEntry),
    windows,
    entriesCut,
    summariesCut,
    momentsCut,
  });
}

export function decodeChunk(text: string): ContextChunk {
  const body = JSON.parse(text);
  return {
    ...body,
    moments: body.moments ?? [],
    entries: body.entries.map(decodeEntry),
    summaries: body.summaries.map(decodeEntry),
    windows: new Map((body.windows as WindowFact[]).map((window) => [windowKey(window), window])),
  };
}

/** The reported window without its times. */
export function windowKey({ provider, model, windowTokens }: WindowFact): string {
  return JSON.stringify([provider, model, windowTokens]);
}
