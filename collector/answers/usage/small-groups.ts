/**
 * The views as one table of large groups, for callers who may know what teams spend, and not what
 * persons do.
 *
 * Contract: every sum is a sum of the groups of `month-groups.ts`, in whatever grouping or filter.
 * The groups follow from what is in the ledger of their month, neither from the question nor from
 * who asks. A month of too few users is in no sum. Documents belong to persons: they are refused.
 *
 * A month is told of when it has ended, so that work cannot be watched as it goes on. What comes
 * later all the same (late events, withdrawals) changes sums, and the change tells of it.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Grouping } from '@pi-ledger/contract/groupings';
import { dayMs } from '@pi-ledger/core/time/units';
import { belowFloor } from '../../auth/access.ts';
import type { LedgerError } from '../../errors.ts';
import { inTurns } from '../../timers/in-turns.ts';
import { fits } from '../../views/match-condition.ts';
import type { Condition, SumRow, ViewsReader } from '../../views/views.ts';
import { levels, monthGroups, usersIn } from './month-groups.ts';

/** A group has these columns; `day` is the first one of its month. */
const columns: readonly string[] = ['day', 'billing', ...levels];
/** What answers by model ask for beside them, for figures that are not told. No group has any. */
const unused: readonly string[] = ['kind', 'costSource'];

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
  const before = firstOf(new Date(nowMs - daysAfterMonth * dayMs).toISOString());
  const ended: Condition = { column: 'day', is: 'before', values: [before] };
  const sum: ViewsReader['sum'] = async (projection, rollup, { by, where }) => {
    expectColumns(usersMin, by, where);
    const ask: Ask = (dimensions, conditions) =>
      views.sum(projection, rollup, { by: dimensions, where: conditions });
    const period = [...where.filter(({ column }) => column === 'day'), ended];
    const groups = await readGroups(ask, period, usersMin);
    left = groups.left;
    const fitting: SumRow[] = [];
    await inTurns(groups.sums, (row) => {
      if (fits(row.dimensions, where)) fitting.push(row);
    });
    return fitting;
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

type Ask = (by: readonly string[], where: readonly Condition[]) => Promise<readonly SumRow[]>;

/** `left`: how many months, of one kind of billing each, are of too few users. */
async function readGroups(
  ask: Ask,
  period: readonly Condition[],
  usersMin: number,
): Promise<{ readonly sums: readonly SumRow[]; readonly left: number }> {
  const months = await monthsIn(await ask(['day', 'billing', 'user'], period));
  const large: Month[] = [];
  // Whoever invents many months makes no question long.
  await inTurns(months, (month) => {
    if (usersIn(month.days) >= usersMin) large.push(month);
  });
  const sums: SumRow[] = [];
  let count = 0;
  for (const { first, billing } of large) {
    await nextTurn();
    const paid: Condition = { column: 'billing', is: 'in', values: [billing] };
    const portions = await ask([...levels, 'user'], [...daysOf(first), paid]);
    const groups = await monthGroups(portions, usersMin);
    if (groups !== null) count += 1;
    await inTurns(groups ?? [], ({ dimensions, measures }) =>
      sums.push({ dimensions: { ...dimensions, day: first, billing }, measures }),
    );
  }
  return { sums, left: months.length - count };
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

/** A caller with a floor asked for what belongs to one person, or could be subtracted. */
function refused(usersMin: number, what?: string): LedgerError {
  const which = what === undefined ? '' : `, in whole months, by ${levels.join(', ')}: not ${what}`;
  return belowFloor(usersMin, which);
}

function expectColumns(usersMin: number, by: readonly string[], where: readonly Condition[]): void {
  const named = by.filter((name) => !unused.includes(name));
  for (const name of [...named, ...where.map(({ column }) => column)])
    if (!columns.includes(name)) throw refused(usersMin, name);
  const days = where.filter(({ column }) => column === 'day').flatMap(({ values }) => values);
  // Ends are exclusive.
  if (!days.every((day) => String(day).endsWith('-01'))) throw refused(usersMin, 'parts of months');
}

/** One month of one kind of billing. */
interface Month {
  readonly first: string;
  readonly billing: string;
  readonly days: SumRow[];
}

async function monthsIn(days: readonly SumRow[]): Promise<readonly Month[]> {
  const months = new Map<string, Month>();
  await inTurns(days, (row) => {
    const { day = '', billing = '' } = row.dimensions;
    const key = JSON.stringify([firstOf(day), billing]);
    const month = months.get(key) ?? { first: firstOf(day), billing, days: [] };
    months.set(key, month);
    month.days.push(row);
  });
  return [...months.values()];
}

/** `2026-11-01` for any of its days. */
function firstOf(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

function daysOf(first: string): readonly Condition[] {
  const next = firstOf(new Date(Date.parse(first) + 31 * dayMs).toISOString());
  return [
    { column: 'day', is: 'from', values: [first] },
    { column: 'day', is: 'before', values: [next] },
  ];
}
