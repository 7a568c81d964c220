/**
 * Which points of a metric count in a series of their own, and which in one that takes in what is
 * hidden. Pure.
 *
 * Guarantees:
 * - Each sender counts in at most `senderSeriesMax` series: those that were shown with it, then
 *   the first by key, which is a hash. So that depends on the set of its series and on what was
 *   shown, and on no other sender.
 * - All senders together have at most `seriesMax` series. Once there are more, or too many senders
 *   of too many, nothing else becomes one.
 * - What is hidden once stays hidden: the series that takes it in never falls.
 */
import { inTurns } from '../../timers/in-turns.ts';
import { type KeyedMetric, senderKey } from './series.ts';
import type { SeriesState } from './state.ts';

export interface SeriesLimits {
  /** One metric has at most this many, without those that take in what is hidden. */
  readonly seriesMax: number;
  readonly senderSeriesMax: number;
}

export const seriesLimits: SeriesLimits = { seriesMax: 3_000, senderSeriesMax: 1_000 };
/** Each takes half a kilobyte of a metric's state. */
const keptSendersMax = 20;

export interface Admission extends Pick<SeriesState, 'kept' | 'isFull'> {
  isAdmitted(key: string, sender: string | undefined): boolean;
}

/** `state`: what was shown so far. */
export async function admission(
  { points }: KeyedMetric,
  state: SeriesState,
  limits: SeriesLimits,
): Promise<Admission> {
  if (state.isFull) return admissionAsShown(state);
  const senders = new Map<string, string[]>();
  await inTurns(points, ([key, { sender }]) => {
    if (sender === undefined) return;
    const own = senders.get(sender) ?? [];
    senders.set(sender, own);
    own.push(key);
  });
  const beyond = [...senders]
    .filter(([, keys]) => keys.length > limits.senderSeriesMax)
    .map(([sender, keys]) => [senderKey(sender), keys] as const)
    .filter(([sender]) => !state.kept.has(sender))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const room = Math.max(0, keptSendersMax - state.kept.size);
  const kept = new Map(state.kept);
  for (const [sender, keys] of beyond.slice(0, room))
    kept.set(sender, chooseKept(keys, state, limits.senderSeriesMax));
  if (beyond.length > room) return admissionAsShown({ ...state, kept, isFull: true });
  return withRoom(points, { ...state, kept }, limits.seriesMax);
}

/** Nothing becomes a series. */
export function admissionAsShown({ series, kept, isFull }: SeriesState): Admission {
  const isKept = keptIn(kept);
  return {
    ...{ kept, isFull },
    isAdmitted: (key, sender) => series.has(key) && isKept(key, sender),
  };
}

function chooseKept(
  keys: readonly string[],
  { series }: SeriesState,
  senderSeriesMax: number,
): ReadonlySet<string> {
  const shown = keys.filter((key) => series.has(key));
  const others = keys.filter((key) => !series.has(key)).toSorted();
  return new Set([...shown, ...others.slice(0, Math.max(0, senderSeriesMax - shown.length))]);
}

async function withRoom(
  points: KeyedMetric['points'],
  { series, kept }: SeriesState,
  seriesMax: number,
): Promise<Admission> {
  const isKept = keptIn(kept);
  const fresh = new Set<string>();
  await inTurns(points, ([key, { sender }]) => {
    if (!series.has(key) && isKept(key, sender)) fresh.add(key);
  });
  const isFull = series.size + fresh.size > seriesMax;
  const admitted = isFull
    ? new Set([...fresh].toSorted().slice(0, Math.max(0, seriesMax - series.size)))
    : fresh;
  return {
    ...{ kept, isFull },
    isAdmitted: (key, sender) => (series.has(key) || admitted.has(key)) && isKept(key, sender),
  };
}

function keptIn(kept: SeriesState['kept']): Admission['isAdmitted'] {
  const known = new Map<string, ReadonlySet<string> | null>();
  return (key, sender) => {
    if (sender === undefined || kept.size === 0) return true;
    const own = known.get(sender) ?? kept.get(senderKey(sender)) ?? null;
    known.set(sender, own);
    return own?.has(key) ?? true;
  };
}
