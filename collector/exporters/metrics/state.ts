/**
 * What a reader of metrics has been shown: kept in its checkpoint, so that neither a restart nor
 * another collector forgets it. Pure.
 *
 * An identity lasts from one fold of the counters to the next. Within it no value falls, and no
 * series leaves.
 */
import { keyLength } from './series.ts';

export interface ExporterState {
  /** It is the generation of the counters (`CounterReading.generation`). */
  readonly generation: string;
  /** When the identity was first exported. */
  readonly startMs: number;
  /** By name: every metric that there was so far, also without series. */
  readonly metrics: ReadonlyMap<string, SeriesState>;
}

export interface SeriesState {
  /**
   * By key, in the order in which they came: null for those that go out with their values, else
   * since when they go out as zero.
   */
  readonly series: ReadonlyMap<string, number | null>;
  /** Senders of too many series, by their keys: those in which they still count. */
  readonly kept: ReadonlyMap<string, ReadonlySet<string>>;
  /** Nothing else becomes a series. */
  readonly isFull: boolean;
}

export const emptySeries: SeriesState = { series: new Map(), kept: new Map(), isFull: false };

/** Keys without separators: thousands of series fit a checkpoint. */
interface Written {
  readonly version: 2;
  readonly generation: string;
  readonly startMs: number;
  readonly series: Readonly<Record<string, string>>;
  readonly zeros: readonly (readonly [sinceMs: number, Readonly<Record<string, string>>])[];
  readonly kept: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly full: readonly string[];
}

export function writeState({ generation, startMs, metrics }: ExporterState): string {
  const series: Record<string, string> = {};
  const zeros = new Map<number, Record<string, string>>();
  const kept: Record<string, Record<string, string>> = {};
  for (const [name, state] of metrics) {
    series[name] = [...state.series.keys()].join('');
    for (const [key, sinceMs] of state.series) {
      if (sinceMs === null) continue;
      const group = zeros.get(sinceMs) ?? {};
      group[name] = (group[name] ?? '') + key;
      zeros.set(sinceMs, group);
    }
    for (const [sender, keys] of state.kept)
      kept[name] = { ...kept[name], [sender]: writePlaces(keys, state) };
  }
  const full = [...metrics].flatMap(([name, { isFull }]) => (isFull ? [name] : []));
  const zerosWritten = [...zeros];
  const written: Written = {
    ...{ version: 2, generation, startMs },
    ...{ series, zeros: zerosWritten, kept, full },
  };
  return JSON.stringify(written);
}

/** Returns null when nothing was written, or by a program that wrote something else. */
export function readState(text: string | null): ExporterState | null {
  if (text === null) return null;
  const written: Partial<Written> = JSON.parse(text);
  if (written.version !== 2) return null;
  const { generation = '', startMs = 0, series = {}, zeros = [], kept = {}, full = [] } = written;
  const metrics = new Map<string, SeriesState>();
  for (const [name, text] of Object.entries(series)) {
    const keys = split(text);
    const times = new Map<string, number | null>(keys.map((key) => [key, null]));
    for (const [sinceMs, group] of zeros)
      for (const key of split(group[name] ?? '')) times.set(key, sinceMs);
    const senders = Object.entries(kept[name] ?? {});
    metrics.set(name, {
      series: times,
      kept: new Map(senders.map(([sender, places]) => [sender, readPlaces(places, keys)])),
      isFull: full.includes(name),
    });
  }
  return { generation, startMs, metrics };
}

function split(keys: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < keys.length; at += keyLength) found.push(keys.slice(at, at + keyLength));
  return found;
}

/** One bit for each series, in their order: those that come later are none of these. */
function writePlaces(keys: ReadonlySet<string>, { series }: SeriesState): string {
  const bits = Buffer.alloc(Math.ceil(series.size / 8));
  let place = 0;
  for (const key of series.keys()) {
    if (keys.has(key)) bits.writeUInt8(bits.readUInt8(place >> 3) | (1 << (place & 7)), place >> 3);
    place += 1;
  }
  return bits.toString('base64url');
}

function readPlaces(text: string, keys: readonly string[]): ReadonlySet<string> {
  const bits = Buffer.from(text, 'base64url');
  return new Set(keys.filter((_, place) => ((bits[place >> 3] ?? 0) >> (place & 7)) & 1));
}

/** Zeros that have been seen become live. The same object where there is none. */
export function withZerosSeen(
  state: ExporterState,
  isSeen: (sinceMs: number) => boolean,
): ExporterState {
  let isSame = true;
  const metrics = new Map<string, SeriesState>();
  for (const [name, each] of state.metrics) {
    const seen = [...each.series].filter(([, sinceMs]) => sinceMs !== null && isSeen(sinceMs));
    if (seen.length > 0) isSame = false;
    const series = new Map([...each.series, ...seen.map(([key]) => [key, null] as const)]);
    metrics.set(name, seen.length === 0 ? each : { ...each, series });
  }
  return isSame ? state : { ...state, metrics };
}
