/**
 * The attributions of one session, sorted by time: whose session it was, and when.
 *
 * - Usage takes the newest attribution that is not later than it, or the oldest one when all are
 *   later. Importers' guesses count only while no live attribution is known; what was inferred from
 *   a copy's header counts only while there is neither.
 * - Billing is looked up by provider in that attribution, then in the nearest later one, then in
 *   the nearest earlier one that knows the provider, then in the user's rules.
 * - Projects have the names that the user's rules give them.
 * - The timeline is a function of the set of attributions, not of their order of arrival: those of
 *   the same time are ordered by content, duplicates count once, and beyond `attributionsMax` or
 *   `attributionCharsMax` the newest stay. Equal neighbours are all kept, because a late one may
 *   belong between them; their content is written once.
 */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import type { TimelineRules } from '../rules.ts';
import { toMinute } from './calendar.ts';
import { compareText } from './compare-text.ts';
import type { Labels } from './labels.ts';
import { createNoted, type Noted } from './notes/noted.ts';
import { type Notes, type NoteType, noNotes, withNote } from './notes/notes.ts';

type Attributed = EventData<'pi.session.attributed.v1'>;

export interface AttributionFacts extends Omit<Attributed, 'basis'> {
  /** The user's rules exclude this project. */
  readonly isIgnored: boolean;
  /** The user that the producer named, where `user` is the one its token is bound to. */
  readonly claimedUser?: string;
}

export interface Attribution {
  readonly time: string;
  readonly minute: number;
  readonly facts: AttributionFacts;
  /** The facts as canonical JSON: tells duplicates, and orders attributions of the same time. */
  readonly text: string;
}

/**
 * Immutable: a change makes a new one, so that the old one can still say where usage was counted.
 */
export interface Timeline {
  readonly basis: Attributed['basis'] | null;
  readonly attributions: readonly Attribution[];
  readonly rules: TimelineRules;
  readonly notes: Notes;
  /** Labels by attribution and provider. */
  readonly known: Map<string, Labels>;
  /** What the notes make of spend. */
  readonly noted: Noted;
  /** Labels with that: by what they are without, then by commit and by text. */
  readonly changed: Map<Labels, Map<string, Map<string, Labels>>>;
}

export function makeTimeline(
  basis: Timeline['basis'],
  attributions: readonly Attribution[],
  rules: TimelineRules,
  notes: Notes = noNotes,
  noted: Noted = createNoted(notes),
): Timeline {
  return { basis, attributions, rules, notes, known: new Map(), noted, changed: new Map() };
}

export function makeAttribution(
  time: string,
  facts: AttributionFacts,
  text = JSON.stringify(facts),
): Attribution {
  return { time, minute: toMinute(time), facts, text };
}

/** The timeline with this attribution added; the same object when nothing changes. */
export function withAttribution(
  timeline: Timeline,
  event: LedgerEvent<'pi.session.attributed.v1'>,
  attributionsMax: number,
): Timeline {
  const { basis } = event.data;
  if (certainty.indexOf(basis) < certainty.indexOf(timeline.basis)) return timeline;
  const attributions = timeline.basis === basis ? timeline.attributions : [];
  const added = makeAttribution(event.time, readFacts(event, timeline.rules));
  const at = findInsertionIndex(attributions, added);
  const neighbour = attributions[at];
  if (neighbour !== undefined && compare(neighbour, added) === 0) return timeline;
  return makeTimeline(
    basis,
    keepNewest(attributions.toSpliced(at, 0, added), attributionsMax),
    timeline.rules,
    timeline.notes,
    timeline.noted,
  );
}

/** The timeline with this note added; the same object when nothing changes. */
export function withNoted(timeline: Timeline, event: LedgerEvent<NoteType>): Timeline {
  const { basis, attributions, rules } = timeline;
  const notes = withNote(timeline.notes, event);
  return notes === timeline.notes ? timeline : makeTimeline(basis, attributions, rules, notes);
}

/** All text of a session's attributions; an ordinary one has a few hundred characters. */
const attributionCharsMax = 800_000;

/**
 * The newest attributions within both bounds. A function of the set, since an attribution dropped
 * once would be dropped again.
 */
function keepNewest(attributions: readonly Attribution[], max: number): readonly Attribution[] {
  let chars = 0;
  const first = attributions.findLastIndex(({ text }) => {
    chars += text.length;
    return chars > attributionCharsMax;
  });
  return attributions.slice(Math.max(first + 1, attributions.length - max));
}

/** From the least to the most certain; only the most certain basis known counts. */
const certainty: readonly Timeline['basis'][] = [null, 'inferred', 'import', 'live'];

/** Applies the timeline's rules to attributions that were folded without any. */
export function underItsRules({ basis, attributions, rules, notes }: Timeline): Timeline {
  const named = attributions.map(({ time, facts }) => {
    const { project, cwd } = facts;
    const { name, isIgnored } = rules.nameOf({ name: project.name, remote: project.remote, cwd });
    return makeAttribution(time, { ...facts, project: { ...project, name }, isIgnored });
  });
  const sorted = named.toSorted(compare);
  const each = sorted.filter(
    (attribution, index) =>
      index === 0 || compare(sorted[index - 1] ?? attribution, attribution) !== 0,
  );
  return makeTimeline(basis, each, rules, notes);
}

/** By time, then by content. */
function compare(left: Attribution, right: Attribution): number {
  return compareText(left.time, right.time) || compareText(left.text, right.text);
}

/**
 * Index of the first attribution that does not sort before this one. Searched from the end, because
 * they mostly arrive in order.
 */
function findInsertionIndex(attributions: readonly Attribution[], added: Attribution): number {
  return attributions.findLastIndex((attribution) => compare(attribution, added) < 0) + 1;
}

/**
 * Built field by field, so that the producer's key order and unknown fields do not affect equality.
 */
function readFacts(
  { data, authenticateduser }: LedgerEvent<'pi.session.attributed.v1'>,
  rules: TimelineRules,
): AttributionFacts {
  const { project, host, agent } = data;
  const { name, isIgnored } = rules.nameOf({
    name: project.name,
    remote: project.remote,
    cwd: data.cwd,
  });
  return {
    project: { name, remote: project.remote, branch: project.branch, worktree: project.worktree },
    cwd: data.cwd,
    user: authenticateduser ?? data.user,
    machine: data.machine,
    utcOffsetMinutes: data.utcOffsetMinutes,
    billing: Object.fromEntries(
      Object.entries(data.billing).toSorted(([left], [right]) => compareText(left, right)),
    ),
    host: { name: host.name, version: host.version },
    mode: data.mode,
    agent: { kind: agent.kind, name: agent.name },
    parentSessionId: data.parentSessionId,
    previousSessionId: data.previousSessionId,
    producerVersion: data.producerVersion,
    isIgnored,
    ...(authenticateduser === undefined ? {} : { claimedUser: data.user }),
  };
}
