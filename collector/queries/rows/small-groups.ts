/**
 * The views without groups of few users, for callers who may know what teams spend, and not what
 * persons do.
 *
 * Contract, for each sum: a row that fewer than `usersMin` known users share is left out. If what
 * is left out would be fewer than `usersMin` users together, the rows with the fewest users go too,
 * so that subtracting the rows from a total of the same period tells of no smaller group. A filter
 * whose rest has fewer users answers nothing, for the same reason. Documents belong to persons, and
 * so do the dimensions named below: they are refused.
 *
 * It does not hold between periods: two answers that differ by a day tell what that day had.
 */
import { LedgerError } from '../../errors.ts';
import { fits } from '../../views/match-condition.ts';
import { sumsToTally, tallied } from '../../views/tallied.ts';
import type { Condition, SumQuery, SumRow, ViewsReader } from '../../views/views.ts';

const personal: readonly string[] = ['user', 'session', 'machine', 'head'];

export interface LargeGroups {
  readonly views: ViewsReader;
  /** How many rows were left out. */
  left(): number;
}

/** `limits`: the caller's own conditions, which narrow every query. */
export function withoutSmallGroups(
  views: ViewsReader,
  usersMin: number,
  limits: readonly Condition[],
): LargeGroups {
  let left = 0;
  const sum: ViewsReader['sum'] = async (projection, rollup, query) => {
    const filters = query.where.filter((each) => !limits.includes(each));
    const named = [...query.by, ...filters.map(({ column }) => column)].find(isPersonal);
    if (named !== undefined) throw refused(usersMin, named);
    const ask = (asked: SumQuery) => views.sum(projection, rollup, asked);
    const rows = await ask({ ...query, by: [...query.by, 'user'] });
    const groups = groupsOf(rows, query.by);
    const isHidden = (await isRestSmall(ask, query, limits, usersMin))
      ? () => true
      : hiddenOf([...groups.values()], usersMin);
    const shown = [...groups.values()].filter((group) => !isHidden(group));
    left += groups.size - shown.length;
    return shown.map(({ row }) => row);
  };
  return {
    left: () => left,
    views: {
      live: (projection) => views.live(projection),
      find: () => Promise.reject(refused(usersMin)),
      count: () => Promise.reject(refused(usersMin)),
      sum,
      tally: async (projection, rollup, query) =>
        tallied(query, await sum(projection, rollup, sumsToTally(query))),
      setAside: async (projection) => ({
        count: (await views.setAside(projection, 1)).count,
        events: [],
      }),
    },
  };
}

/** A caller with a floor asked for what belongs to one person. */
export function refused(usersMin: number, what?: string): LedgerError {
  const why = what === undefined ? '' : `, and ${what} tells persons apart`;
  return new LedgerError('scope_missing', {
    message:
      `This collector tells this token about groups of ${usersMin} users and more only${why}. ` +
      'Ask its administrator.',
  });
}

interface Group {
  row: SumRow;
  readonly users: Set<string>;
}

/** Rows without the user, with who they are of. Unknown users count as nobody. */
function groupsOf(rows: readonly SumRow[], by: readonly string[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { dimensions, measures } of rows) {
    const { user = '', ...others } = dimensions;
    const key = JSON.stringify(by.map((name) => others[name]));
    const group = groups.get(key) ?? {
      row: { dimensions: others, measures: {} },
      users: new Set(),
    };
    groups.set(key, group);
    group.row = { ...group.row, measures: sumOf(group.row.measures, measures) };
    if (user !== '') group.users.add(user);
  }
  return groups;
}

function sumOf(one: SumRow['measures'], other: SumRow['measures']): SumRow['measures'] {
  const sums = Object.entries(other).map(([name, sum]) => [name, (one[name] ?? 0n) + sum] as const);
  return Object.fromEntries(sums);
}

/** The small groups, and as many of the next larger ones as it takes. */
function hiddenOf(groups: readonly Group[], usersMin: number): (group: Group) => boolean {
  const hidden = new Set<Group>();
  const users = new Set<string>();
  for (const group of groups.toSorted((a, b) => a.users.size - b.users.size)) {
    if (group.users.size >= usersMin && (hidden.size === 0 || users.size >= usersMin)) break;
    hidden.add(group);
    for (const user of group.users) users.add(user);
  }
  return (group) => hidden.has(group);
}

/** Whether what the filters exclude is spend of few users, whom a total without them reveals. */
async function isRestSmall(
  ask: (query: SumQuery) => Promise<readonly SumRow[]>,
  { where }: SumQuery,
  limits: readonly Condition[],
  usersMin: number,
): Promise<boolean> {
  const filters = where.filter((each) => each.is === 'in' && !limits.includes(each));
  if (filters.length === 0) return false;
  const rows = await ask({
    by: ['user', ...new Set(filters.map(({ column }) => column))],
    where: where.filter((each) => !filters.includes(each)),
  });
  const rest = rows.filter(({ dimensions }) => !fits(dimensions, filters));
  const users = new Set(rest.map(({ dimensions }) => dimensions.user ?? ''));
  return rest.length > 0 && users.size < usersMin;
}

function isPersonal(column: string): boolean {
  return personal.includes(column);
}
