/**
 * The views as one table of large groups, for callers who may know what teams spend, and not what
 * persons do.
 *
 * Contract: the spend of each month and kind of billing is divided into groups, each spend being in
 * one, and each group having at least `usersMin` known users. Every sum is a sum of such groups, so
 * no sums subtracted from each other, in whatever grouping or filter, tell of a smaller one. The
 * groups depend on the month alone, neither on the question nor on who asks. A month of fewer users
 * is in no sum. Documents belong to persons: they are refused.
 *
 * A month is told of when it has ended, so that work cannot be watched as it goes on. What comes
 * later all the same (late events, withdrawals) changes sums, and the change tells of it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Grouping } from '@pi-ledger/contract/groupings';
import { LedgerError } from '../../errors.ts';
import { inTurns } from '../../timers/in-turns.ts';
import { fits } from '../../views/match-condition.ts';
import type { Condition, SumRow, ViewsReader } from '../../views/views.ts';

/** What a group may be told apart by, the most important first. */
const levels = ['project', 'provider', 'model'] as const satisfies readonly Grouping[];
/** `day`: the first one of the group's month. */
const columns: readonly string[] = ['day', 'billing', ...levels];
/** What answers by model ask for beside them, for figures that are not told. No group has any. */
const unused: readonly string[] = ['kind', 'costSource'];
/** The label of several groups that would be too small alone. */
const smallGroups = '(small groups)';

const dayMs = 86_400_000;
/** Until a month has ended everywhere, and late events of most agents have come. */
const daysAfterMonth = 2;

export interface LargeGroups {
  readonly views: ViewsReader;
  /** The last day that they tell of. */
  readonly until: string;
  /** How many months, of one kind of billing each, were left out. */
  left(): number;
}

export function withoutSmallGroups(
  views: ViewsReader,
  usersMin: number,
  nowMs: number,
): LargeGroups {
  let left = 0;
  const before = firstUntold(nowMs);
  const sum: ViewsReader['sum'] = async (projection, rollup, { by: asked, where }) => {
    const named = [...asked.filter((name) => !unused.includes(name)), ...where.map(columnOf)];
    const unknown = named.find((name) => !columns.includes(name));
    if (unknown !== undefined) throw refused(usersMin, unknown);
    const inPeriod = where.filter(({ column }) => column === 'day');
    if (!inPeriod.every(isWholeMonths)) throw refused(usersMin, 'parts of months');
    const ended: Condition = { column: 'day', is: 'before', values: [before] };
    const by = [...columns, 'user'];
    const rows = await views.sum(projection, rollup, { by, where: [...inPeriod, ended] });
    const groups: SumRow[] = [];
    for (const portions of await monthsOf(rows)) {
      await nextTurn();
      if (usersOf(portions) < usersMin) left += 1;
      else groups.push(...divided(portions, 0, usersMin));
    }
    return groups.filter(({ dimensions }) => fits(dimensions, where));
  };
  return {
    until: new Date(Date.parse(before) - dayMs).toISOString().slice(0, 10),
    left: () => left,
    views: {
      live: (projection) => views.live(projection),
      find: () => Promise.reject(refused(usersMin)),
      count: () => Promise.reject(refused(usersMin)),
      tally: () => Promise.reject(refused(usersMin)),
      setAside: () => Promise.reject(refused(usersMin)),
      sum,
    },
  };
}

/** Throws `scope_missing` for what no group is told apart by. */
export function expectLargeGroups(
  usersMin: number,
  by: readonly Grouping[],
  timezone: string | undefined,
): void {
  const unknown = by.find((each) => ![...levels, 'month'].includes(each));
  if (unknown !== undefined) throw refused(usersMin, unknown);
  if (timezone !== undefined) throw refused(usersMin, 'in a time zone');
}

/** The first day of the first month that has not ended. */
function firstUntold(nowMs: number): string {
  return `${new Date(nowMs - daysAfterMonth * dayMs).toISOString().slice(0, 7)}-01`;
}

/** A caller with a floor asked for what belongs to one person, or could be subtracted. */
export function refused(usersMin: number, what?: string): LedgerError {
  const which = what === undefined ? '' : `, in whole months, by ${levels.join(', ')}: not ${what}`;
  return new LedgerError('scope_missing', {
    message:
      `This collector tells this token about groups of ${usersMin} users and more only${which}. ` +
      'Ask its administrator.',
  });
}

function columnOf({ column }: Condition): string {
  return column;
}

/** Ends are exclusive. */
function isWholeMonths({ values }: Condition): boolean {
  return values.every((day) => String(day).endsWith('-01'));
}

/** The rows of each month and kind of billing, with the first day of the month. */
async function monthsOf(rows: readonly SumRow[]): Promise<Iterable<readonly SumRow[]>> {
  const months = new Map<string, Map<string, SumRow>>();
  await inTurns(rows, ({ dimensions, measures }) => {
    const day = `${(dimensions.day ?? '').slice(0, 7)}-01`;
    const own = { ...dimensions, day };
    const key = JSON.stringify([day, dimensions.billing]);
    const portions = months.get(key) ?? new Map<string, SumRow>();
    months.set(key, portions);
    const place = JSON.stringify([dimensions.user, ...levels.map((level) => dimensions[level])]);
    const known = portions.get(place)?.measures ?? {};
    portions.set(place, { dimensions: own, measures: added(known, measures) });
  });
  return [...months.values()].map((portions) => [...portions.values()]);
}

/**
 * Groups of one month with at least so many users each, given that all of them have as many. A
 * value of the level with fewer goes into the rest; while that has fewer, the next smallest value
 * goes there, too.
 */
function divided(portions: readonly SumRow[], depth: number, usersMin: number): SumRow[] {
  const level = levels[depth];
  if (level === undefined) return [groupOf(portions, depth)];
  const values = [...Map.groupBy(portions, ({ dimensions }) => dimensions[level] ?? '')]
    .map(([name, own]) => ({ name, own, users: usersOf(own) }))
    .toSorted((a, b) => a.users - b.users || (a.name < b.name ? -1 : 1));
  const firstLarge = values.findIndex(({ users }) => users >= usersMin);
  let kept = firstLarge < 0 ? values.length : firstLarge;
  let rest = values.slice(0, kept).flatMap(({ own }) => own);
  while (rest.length > 0 && usersOf(rest) < usersMin) {
    rest = [...rest, ...(values[kept]?.own ?? [])];
    kept += 1;
  }
  const large = values.slice(kept).flatMap(({ own }) => divided(own, depth + 1, usersMin));
  return rest.length === 0 ? large : [...large, groupOf(rest, depth)];
}

/** `depth`: how many levels all of these have in common. */
function groupOf(portions: readonly SumRow[], depth: number): SumRow {
  const { user: _, ...common } = portions[0]?.dimensions ?? {};
  const hidden = levels.slice(depth).map((level) => [level, smallGroups] as const);
  return {
    dimensions: { ...common, ...Object.fromEntries(hidden) },
    measures: portions.reduce<SumRow['measures']>(
      (sum, { measures }) => added(sum, measures),
      {},
    ),
  };
}

function added(one: SumRow['measures'], other: SumRow['measures']): SumRow['measures'] {
  const sums = Object.entries(other).map(([name, sum]) => [name, (one[name] ?? 0n) + sum] as const);
  return Object.fromEntries(sums);
}

/** What makes somebody one of a group's users: what it has of the first of these. */
const shares: readonly (readonly string[])[] = [
  ['nanoUsd'],
  ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'],
  ['records'],
];

/** How many known users share a sum: those with a cost, or with tokens where nothing costs. */
function usersOf(portions: readonly SumRow[]): number {
  for (const names of shares) {
    const some = portions.filter(({ measures }) => names.some((name) => (measures[name] ?? 0n) > 0n));
    const users = new Set(some.map(({ dimensions }) => dimensions.user ?? ''));
    if (users.size > 0) return users.size - (users.has('') ? 1 : 0);
  }
  return 0;
}
