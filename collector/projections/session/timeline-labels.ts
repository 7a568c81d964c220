/**
 * What a session's timeline says about spend at a time with a provider (timeline.ts has the rules).
 * Pure.
 */
import { decideBilling } from '@pi-ledger/core/spend/billing';
import type { Labels } from './labels.ts';
import { labelText } from './notes/label-text.ts';
import type { Attribution, Timeline } from './timeline.ts';

/**
 * What attributions and rules say of spend with a provider up to the end of this minute; without
 * what notes add (notes/cell-labels.ts).
 */
export function labelsAt(timeline: Timeline, minute: number, provider: string): Labels {
  const index = latestIndexAt(timeline.attributions, minute);
  const key = `${index} ${provider}`;
  const known = timeline.known.get(key);
  if (known !== undefined) return known;
  const labels = labelsOf(timeline, index, provider);
  timeline.known.set(key, labels);
  return labels;
}

/** The attribution that usage of this minute takes; undefined: there is none. */
export function attributionAt({ attributions }: Timeline, minute: number): Attribution | undefined {
  return attributions[latestIndexAt(attributions, minute)];
}

/**
 * Index of the newest attribution not later than the minute's end; 0, the oldest, when all are
 * later.
 */
function latestIndexAt(attributions: readonly Attribution[], minute: number): number {
  let from = 0;
  let to = attributions.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((attributions[middle] as Attribution).minute <= minute) from = middle + 1;
    else to = middle;
  }
  return Math.max(0, from - 1);
}

function labelsOf({ attributions, rules }: Timeline, index: number, provider: string): Labels {
  const facts = attributions[index]?.facts;
  const [project, branch, user] = [
    facts?.project.name ?? '',
    facts?.project.branch ?? '',
    facts?.user ?? '',
  ];
  return {
    project,
    branch,
    user,
    machine: facts?.machine ?? '',
    host: facts?.host.name ?? '',
    billing: decideBilling(attributions, index, provider, rules.billing),
    agentKind: facts?.agent.kind ?? '',
    agent: facts?.agent.name ?? '',
    labels: labelText(rules.labelsFor({ project, user, branch })),
    head: '',
    utcOffsetMinutes: facts?.utcOffsetMinutes ?? 0,
    isIgnored: facts?.isIgnored ?? false,
  };
}
