/**
 * The views as a caller with a limit sees them: as if there were nothing else.
 *
 * Contract: every document and every sum fulfils the conditions; a projection or rollup that has no
 * such column is refused, so that a new one is closed until it has. It only asks: what would change
 * a view throws.
 */
import type { Condition, Views } from '../views/views.ts';

export function limitViews(views: Views, conditions: readonly Condition[]): Views {
  if (conditions.length === 0) return views;
  const find: Views['find'] = async (projection, query) => {
    expectColumns(projection.name, Object.keys(projection.columns), conditions);
    return views.find(projection, { ...query, where: [...query.where, ...conditions] });
  };
  return {
    live: (projection) => views.live(projection),
    async load(projection, _generation, keys) {
      const found = await find(projection, {
        where: [{ column: 'key', is: 'in', values: keys }],
        orderBy: { column: 'key', descending: false },
        limit: keys.length,
      });
      return new Map(found.map(({ key, body }) => [key, body]));
    },
    find,
    async sum(projection, rollup, query) {
      expectColumns(rollup.name, rollup.dimensions, conditions);
      return views.sum(projection, rollup, { ...query, where: [...query.where, ...conditions] });
    },
    begin: refuse,
    promote: refuse,
    commit: refuse,
    setAside: refuse,
    close: refuse,
  };
}

function expectColumns(
  name: string,
  columns: readonly string[],
  conditions: readonly Condition[],
): void {
  const missing = conditions.find(({ column }) => !columns.includes(column));
  if (missing !== undefined)
    throw new Error(`${name} has no column ${missing.column}: nobody with a limit may ask it.`);
}

async function refuse(): Promise<never> {
  throw new Error('The views of a caller are only asked.');
}
