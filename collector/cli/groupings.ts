/** `--by`: one grouping or several, separated by commas or named one by one. */
import {
  type Grouping,
  groupings,
  isLabelGrouping,
  readGroupings,
} from '@pi-ledger/contract/groupings';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Column } from './output/table.ts';
import type { Writing } from './output/writing.ts';

export interface ByOption {
  /** As text that the API takes. */
  readonly by?: string;
}

const byDefault = 'project';
const known = [...groupings.map(kebabCase), 'label:KEY'].join(', ');

export function addByOption(command: Command): Command {
  const option = new Option(
    '--by <what>',
    'group by one, by several (user,day), or by a label (label:KEY)',
  )
    .argParser(withMore)
    .default(undefined, byDefault);
  // For help and completions; what is typed may be several of them.
  option.argChoices = groupings.map(kebabCase);
  return command.addOption(option);
}

export function byOf({ by = byDefault }: ByOption): string {
  return by;
}

/** As the command line writes it: `agent-kind`. */
export function titleOf(by: Grouping): string {
  return isLabelGrouping(by) ? by : kebabCase(by).replaceAll('-', ' ');
}

function withMore(text: string, before: string | undefined): string {
  const all = before === undefined ? text : `${before},${text}`;
  const read = readGroupings(all);
  if (read.is === 'unknown') throw new InvalidArgumentError(`Allowed choices are ${known}.`);
  if (read.is === 'refused') throw new InvalidArgumentError(`It ${read.problem}.`);
  return all;
}

function kebabCase(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The columns of the labels, first in a table. */
export function labelColumns<Row extends { readonly labels: readonly string[] }>(
  by: readonly Grouping[],
): Column<Row>[] {
  return by.map((grouping, index) => ({
    title: titleOf(grouping),
    align: 'left',
    dropOrder: 0,
    ...(grouping === 'session' || grouping === 'tree' ? { areIds: true } : {}),
    cell: ({ labels }, writing) => {
      const label = labels[index] ?? '';
      return grouping === 'hour' ? hourText(label, writing) : label;
    },
  }));
}

/** In the reader's hours, or those of a zone that somebody named. The total is no hour. */
function hourText(label: string, { time }: Writing): string {
  return isHour.test(label) ? time(label) : label;
}

/** What rows are by; of hours, in whose. */
export function byWords(by: readonly Grouping[], timeZone: string | undefined): string {
  const own = () => timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const words = by.map((each) => (each === 'hour' ? `hour in ${own()}` : titleOf(each)));
  return `by ${words.join(', ')}`;
}

const isHour = /^\d{4}-\d{2}-\d{2}T\d{2}:00:00Z$/;

export function labelsOf(
  by: readonly Grouping[],
  row: { readonly [Name in Grouping]?: string | null },
): readonly string[] {
  return by.map((grouping) => row[grouping] ?? nameless(grouping));
}

/** What stands for no value. An agent is known without one: nobody gave it a name. */
function nameless(by: Grouping): string {
  if (by === 'agent') return '(unnamed)';
  return isLabelGrouping(by) ? '(none)' : '(unknown)';
}
