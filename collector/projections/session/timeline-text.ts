/** Stored form of a timeline: each distinct content once, in the order of the timeline. */
import {
  type AttributionFacts,
  attributionOf,
  type Timeline,
  type TimelineRules,
  timelineOf,
} from './timeline.ts';

export interface TimelineBody {
  readonly basis: Timeline['basis'];
  readonly facts: readonly AttributionFacts[];
  readonly attributions: readonly (readonly [time: string, facts: number])[];
}

export function encodeTimeline({ basis, attributions }: Timeline): TimelineBody {
  const facts = new Map(attributions.map((attribution) => [attribution.text, attribution.facts]));
  const indexes = new Map([...facts.keys()].map((text, index) => [text, index]));
  return {
    basis,
    facts: [...facts.values()],
    attributions: attributions.map(({ time, text }) => [time, indexes.get(text) ?? 0]),
  };
}

export function decodeTimeline(
  { basis, facts, attributions }: TimelineBody,
  rules: TimelineRules,
): Timeline {
  const texts = facts.map((each) => JSON.stringify(each));
  return timelineOf(
    basis,
    attributions.map(([time, index]) =>
      attributionOf(time, facts[index] as AttributionFacts, texts[index]),
    ),
    rules,
  );
}
