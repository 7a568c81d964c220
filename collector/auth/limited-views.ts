/**
 * The views as a caller with a limit sees them: as if they held nothing else.
 *
 * Contract: every document and every sum fulfils the conditions. A projection or rollup without
 * such a column is refused, so a new one stays closed until it has it. Everybody learns how many
 * events were set aside, but not which: nobody knows whose they are.
 */
import type { Condition, ViewsReader } from '../views/views.ts';

export function limitViews(views: ViewsReader, conditions: readonly Condition[]): ViewsReader {
  if (conditions.length === 0) return views;
  const find: ViewsReader['find'] = async (projection, query) => {
    expectColumns(projection.name, Object.keys(projection.columns), conditions);
    return views.find(projection, { ...query, where: [...query.where, ...conditions] });
  };
  return {
    live: (projection) => views.live(projection),
    find,
    async count(projection, where) {
      expectColumns(projection.name, Object.keys(projection.columns), conditions);
      return views.count(projection, [...where, ...conditions]);
    },
    async sum(projection, rollup, query) {
      expectColumns(rollup.name, rollup.dimensions, conditions);
      return views.sum(projection, rollup, { ...query, where: [...query.where, ...conditions] });
    },
    async tally(projection, rollup, query) {
      expectColumns(rollup.name, rollup.dimensions, conditions);
      return views.tally(projection, rollup, { ...query, where: [...query.where, ...conditions] });
    },
    async setAside(projection) {
      const { count } = await views.setAside(projection, 1);
      return { count, events: [] };
    },
  };
}

function expectColumns(
  name: string,
  columns: readonly string[],
  conditions: readonly Condition[],
): void {
  const missing = conditions.find(({ column }) => !columns.includes(column));
  if (missing !== undefined)
    throw new Error(
      `${name} has no column ${missing.column}, so a caller with a limit may not read it.`,
    );
}
