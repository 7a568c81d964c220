/**
 * What a reader of metrics has been shown: kept in its checkpoint, so that neither a restart nor
 * another collector forgets it. Pure.
 *
 * An identity lasts from one fold of the counters to the next. Within it no value falls, and no
 * series leaves.
 */
import { keyLength } from './series.ts';

export interface ExporterState {
  /** Of the counters (`CounterReading.generation`). */
  readonly generation: string;
  /** When the identity was first exported. */
  readonly startMs: number;
  /** By name: every metric that there was so far, also without series. */
  readonly metrics: ReadonlyMap<string, SeriesState>;
}

/** The keys of series. */
export interface SeriesState {
  /** Those that go out with their values. */
  readonly live: ReadonlySet<string>;
  /** Those that go out as zero, and since when. */
  readonly zeros: ReadonlyMap<string, number>;
}

export const emptySeries: SeriesState = { live: new Set(), zeros: new Map() };

/** Keys without separators: thousands of series fit a checkpoint. */
interface Written {
  readonly version: 1;
  readonly generation: string;
  readonly startMs: number;
  readonly live: Readonly<Record<string, string>>;
  readonly zeros: readonly (readonly [sinceMs: number, Readonly<Record<string, string>>])[];
}

export function writeState({ generation, startMs, metrics }: ExporterState): string {
  const live: Record<string, string> = {};
  const zeros = new Map<number, Record<string, string>>();
  for (const [name, series] of metrics) {
    live[name] = [...series.live].join('');
    for (const [key, sinceMs] of series.zeros) {
      const group = zeros.get(sinceMs) ?? {};
      group[name] = (group[name] ?? '') + key;
      zeros.set(sinceMs, group);
    }
  }
  const written: Written = { version: 1, generation, startMs, live, zeros: [...zeros] };
  return JSON.stringify(written);
}

/** Null: nothing was written, or by a program that wrote something else. */
export function readState(text: string | null): ExporterState | null {
  if (text === null) return null;
  const written: Partial<Written> = JSON.parse(text);
  if (written.version !== 1) return null;
  const { generation = '', startMs = 0, live = {}, zeros = [] } = written;
  const metrics = new Map<string, { live: Set<string>; zeros: Map<string, number> }>();
  for (const [name, keys] of Object.entries(live))
    metrics.set(name, { live: new Set(split(keys)), zeros: new Map() });
  for (const [sinceMs, group] of zeros)
    for (const [name, keys] of Object.entries(group))
      for (const key of split(keys)) metrics.get(name)?.zeros.set(key, sinceMs);
  return { generation, startMs, metrics };
}

function split(keys: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < keys.length; at += keyLength) found.push(keys.slice(at, at + keyLength));
  return found;
}

/** Zeros that have been seen become live. The same object where there is none. */
export function withZerosSeen(
  state: ExporterState,
  isSeen: (sinceMs: number) => boolean,
): ExporterState {
  let isSame = true;
  const metrics = new Map<string, SeriesState>();
  for (const [name, series] of state.metrics) {
    const seen = [...series.zeros].filter(([, sinceMs]) => isSeen(sinceMs)).map(([key]) => key);
    if (seen.length > 0) isSame = false;
    metrics.set(name, seen.length === 0 ? series : promoted(series, seen));
  }
  return isSame ? state : { ...state, metrics };
}

function promoted({ live, zeros }: SeriesState, seen: readonly string[]): SeriesState {
  const left = new Map(zeros);
  for (const key of seen) left.delete(key);
  return { live: new Set([...live, ...seen]), zeros: left };
}
