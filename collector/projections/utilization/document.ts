/** What is kept of one session: small, whatever it did. Equal sets of events give equal text. */
import type { TimelineRules } from '../rules.ts';
import { compareText } from '../session/compare-text.ts';
import { makeTimeline, type Timeline } from '../session/timeline.ts';
import { decodeTimeline, encodeTimeline, type TimelineBody } from '../session/timeline-text.ts';

export interface UtilizationState {
  readonly id: string;
  timeline: Timeline;
  /** The newest compaction's entry; empty: none. */
  compactedAt: string;
  /** The newest answer that reported its tokens; empty: none. */
  answeredAt: string;
  /** Why compactions were made, as the running host said: the newest ones. */
  readonly triggers: Trigger[];
  /** The highest share in each slot of five minutes, over an hour, oldest first. */
  readonly peaks: Peak[];
}

type Trigger = readonly [time: string, entryId: string, trigger: string];
/** In millionths of the window; by the slot's first minute since 1970. */
type Peak = readonly [minute: number, sharePpm: number];

interface Body extends TimelineBody {
  readonly id: string;
  readonly compactedAt: string;
  readonly answeredAt: string;
  readonly triggers: readonly Trigger[];
  readonly peaks: readonly Peak[];
}

const slotMinutes = 5;
const peakMinutes = 60;
/** One session keeps at most this many; each is looked up at once. */
const triggersMax = 50;

export function createUtilization(id: string, rules: TimelineRules): UtilizationState {
  const timeline = makeTimeline(null, [], rules);
  return { id, timeline, compactedAt: '', answeredAt: '', triggers: [], peaks: [] };
}

export function encodeUtilization({ timeline, ...state }: UtilizationState): string {
  const body: Body = { ...state, ...encodeTimeline(timeline) };
  return JSON.stringify(body);
}

export function decodeUtilization(text: string, rules: TimelineRules): UtilizationState {
  const body: Body = JSON.parse(text);
  const { id, compactedAt, answeredAt, triggers, peaks } = body;
  return {
    id,
    timeline: decodeTimeline(body, rules),
    compactedAt,
    answeredAt,
    triggers: [...triggers],
    peaks: [...peaks],
  };
}

/** Reads the peaks of a document as it is stored. */
export function peaksIn(text: string): readonly Peak[] {
  const { peaks }: Body = JSON.parse(text);
  return peaks;
}

export function keepTrigger(triggers: Trigger[], added: Trigger): void {
  const at = triggers.findLastIndex((each) => compareTriggers(each, added) <= 0) + 1;
  triggers.splice(at, 0, added);
  if (triggers.length > triggersMax) triggers.shift();
}

export function findTrigger({ triggers }: UtilizationState, entryId: string): string {
  return triggers.find(([, id]) => id === entryId)?.[2] ?? '';
}

export function keepPeak(peaks: Peak[], minute: number, sharePpm: number): void {
  const slot = Math.floor(minute / slotMinutes) * slotMinutes;
  const at = peaks.findIndex(([start]) => start >= slot);
  const known = peaks[at];
  if (known === undefined) peaks.push([slot, sharePpm]);
  else if (known[0] === slot) peaks[at] = [slot, Math.max(known[1], sharePpm)];
  else peaks.splice(at, 0, [slot, sharePpm]);
  const oldest = (peaks.at(-1)?.[0] ?? 0) - peakMinutes;
  while ((peaks[0]?.[0] ?? oldest) < oldest) peaks.shift();
}

function compareTriggers(left: Trigger, right: Trigger): number {
  return compareText(left[0], right[0]) || compareText(left.join(), right.join());
}
