import { isLabelKey } from '../settings/labels.ts';

/** What a report can be grouped by: one of these, or several at once. */
export const groupings = [
  'project',
  'branch',
  'model',
  'provider',
  'user',
  'machine',
  'host',
  'session',
  'tree',
  'kind',
  'hour',
  'day',
  'week',
  'month',
  'agentKind',
  'agent',
  'thinking',
  'costSource',
  'stopReason',
  'commit',
  'pr',
] as const;
type NamedGrouping = (typeof groupings)[number];

/** Each value of one label: `label:ticket`. */
export type LabelGrouping = `label:${string}`;
export type Grouping = NamedGrouping | LabelGrouping;

/** What can be asked for, in words. */
export const groupingsText = [...groupings, 'label:KEY'].join(', ');

/** The most at once. */
export const groupingsMax = 4;

/** The groupings of a text such as `user,day`, or what is wrong with it. */
export type ReadGroupings =
  | { readonly is: 'read'; readonly by: readonly Grouping[] }
  | { readonly is: 'unknown'; readonly word: string }
  | { readonly is: 'refused'; readonly problem: string };

/** Takes `agent-kind` for `agentKind`, as the command line writes it. */
export function readGroupings(text: string): ReadGroupings {
  const by: Grouping[] = [];
  for (const word of text.split(',')) {
    const grouping = groupingOf(word.trim());
    if (grouping === undefined) return { is: 'unknown', word };
    if (by.includes(grouping)) return refused(`names ${grouping} twice`);
    by.push(grouping);
  }
  if (by.length > groupingsMax) return refused(`takes at most ${groupingsMax} groupings`);
  return { is: 'read', by };
}

function groupingOf(word: string): Grouping | undefined {
  return isLabelGrouping(word) ? word : groupings.find((each) => each === camelCase(word));
}

export function isLabelGrouping(word: string): word is LabelGrouping {
  return word.startsWith('label:') && isLabelKey(keyOf(word));
}

/** The key of a label's grouping. */
export function keyOf(grouping: string): string {
  return grouping.slice('label:'.length);
}

function refused(problem: string): ReadGroupings {
  return { is: 'refused', problem };
}

function camelCase(word: string): string {
  return word.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
