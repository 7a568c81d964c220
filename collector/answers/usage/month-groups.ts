/**
 * Divides what was spent in a month, by one kind of billing, into groups of at least `usersMin`
 * known users. Pure, and in turns with others.
 *
 * Guarantees: each spend is in exactly one group, so that sums of groups subtracted from each other
 * tell of no smaller one. Null: all of them are fewer users.
 *
 * A project of fewer users goes into a rest; while the rest has fewer, so does the next smallest
 * project. Within a project, providers are divided in the same way, and within a provider models.
 */
import { type SpendMeasure, tokenMeasures } from '@pi-ledger/contract/spend-shape';
import { inTurns, turnsInTime } from '../../timers/in-turns.ts';
import type { SumRow } from '../../views/views.ts';

/** What groups are told apart by. */
export const levels = ['project', 'provider', 'model'] as const;

/** The label of what would be too small alone. */
const smallGroups = '(small groups)';

/** `portions`: sums by the levels and by user. */
export async function monthGroups(
  portions: readonly SumRow[],
  usersMin: number,
): Promise<readonly SumRow[] | null> {
  if (usersIn(portions) < usersMin) return null;
  const groups: Group[] = [];
  await divide({ usersMin, groups, turnIfDue: turnsInTime() }, portions, 0);
  const sums: SumRow[] = [];
  await inTurns(groups, (group) => sums.push(sumGroup(group)));
  return sums;
}

interface Group {
  readonly portions: readonly SumRow[];
  /** How many levels they have in common. */
  readonly depth: number;
}

interface Dividing {
  readonly usersMin: number;
  readonly groups: Group[];
  /** There may be very many small ones to divide. */
  readonly turnIfDue: () => Promise<void> | null;
}

/** Adds the groups of the portions, which are of enough users together. */
async function divide(
  dividing: Dividing,
  portions: readonly SumRow[],
  depth: number,
): Promise<void> {
  const { usersMin, groups, turnIfDue } = dividing;
  const level = levels[depth];
  if (level === undefined) {
    groups.push({ portions, depth });
    return;
  }
  await turnIfDue();
  const values = await valuesOf(level, portions);
  const rest = values.filter(({ users }) => users < usersMin).flatMap(({ own }) => own);
  const large = values.filter(({ users }) => users >= usersMin);
  while (rest.length > 0 && usersIn(rest) < usersMin)
    for (const portion of large.shift()?.own ?? []) rest.push(portion);
  for (const { own } of large) await divide(dividing, own, depth + 1);
  if (rest.length > 0) groups.push({ portions: rest, depth });
}

interface Value {
  readonly name: string;
  readonly own: SumRow[];
  readonly users: number;
}

/** Those of the fewest users first. */
async function valuesOf(level: string, portions: readonly SumRow[]): Promise<readonly Value[]> {
  const byName = new Map<string, SumRow[]>();
  await inTurns(portions, (portion) => {
    const name = portion.dimensions[level] ?? '';
    const own = byName.get(name);
    if (own === undefined) byName.set(name, [portion]);
    else own.push(portion);
  });
  const values: Value[] = [];
  await inTurns(byName, ([name, own]) => values.push({ name, own, users: usersIn(own) }));
  return values.sort((a, b) => a.users - b.users || (a.name < b.name ? -1 : 1));
}

function sumGroup({ portions, depth }: Group): SumRow {
  const { user: _, ...common } = portions[0]?.dimensions ?? {};
  const hidden = levels.slice(depth).map((level) => [level, smallGroups] as const);
  const measures: Record<string, bigint> = {};
  for (const portion of portions)
    for (const [name, sum] of Object.entries(portion.measures))
      measures[name] = (measures[name] ?? 0n) + sum;
  return { dimensions: { ...common, ...Object.fromEntries(hidden) }, measures };
}

/** Who has something of the first of these that anybody has shares the sum. */
const shares: readonly (readonly SpendMeasure[])[] = [['nanoUsd'], tokenMeasures, ['records']];

/** How many known users share a sum: those with a cost, or with tokens where nothing costs. */
export function usersIn(portions: readonly SumRow[]): number {
  for (const names of shares) {
    const users = new Set<string>();
    for (const { dimensions, measures } of portions)
      if (names.some((name) => (measures[name] ?? 0n) > 0n)) users.add(dimensions.user ?? '');
    if (users.size > 0) return users.size - (users.has('') ? 1 : 0);
  }
  return 0;
}
