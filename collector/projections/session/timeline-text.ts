/** Stored form of a timeline: each distinct content once, in the order of the timeline. */
import type { TimelineRules } from '../rules.ts';
import { decodeNotes, encodeNotes, type NotesBody } from './notes/notes-text.ts';
import { type AttributionFacts, makeAttribution, makeTimeline, type Timeline } from './timeline.ts';

export interface TimelineBody extends NotesBody {
  readonly basis: Timeline['basis'];
  readonly facts: readonly AttributionFacts[];
  readonly attributions: readonly (readonly [time: string, facts: number])[];
}

export function encodeTimeline({ basis, attributions, notes }: Timeline): TimelineBody {
  const facts = new Map(attributions.map((attribution) => [attribution.text, attribution.facts]));
  const indexes = new Map([...facts.keys()].map((text, index) => [text, index]));
  return {
    basis,
    facts: [...facts.values()],
    attributions: attributions.map(({ time, text }) => [time, indexes.get(text) ?? 0]),
    ...encodeNotes(notes),
  };
}

export function decodeTimeline(body: TimelineBody, rules: TimelineRules): Timeline {
  const { basis, facts, attributions } = body;
  const texts = facts.map((each) => JSON.stringify(each));
  return makeTimeline(
    basis,
    attributions.map(([time, index]) =>
      makeAttribution(time, facts[index] as AttributionFacts, texts[index]),
    ),
    rules,
    decodeNotes(body),
  );
}
