/** Whether answers from the views of all cells are complete now. */
import type { Standing } from '@pi-ledger/contract/answers';
import { nothingLost } from '../importers/progress/lost.ts';

type ReadStanding = () => Promise<Standing>;

export function joinStanding(cells: readonly ReadStanding[]): ReadStanding {
  return async () => {
    const all = await Promise.all(cells.map((read) => read()));
    const views = Map.groupBy(
      all.flatMap((standing) => standing.views),
      ({ projection }) => projection,
    );
    return {
      trouble: firstOf(all, ({ trouble }) => trouble),
      problem: firstOf(all, ({ problem }) => problem),
      views: [...views].map(([projection, parts]) => ({
        projection,
        isBehind: parts.some(({ isBehind }) => isBehind),
        behindSince: earliest(parts.map(({ behindSince }) => behindSince)),
        setAside: parts.reduce((sum, { setAside }) => sum + setAside, 0),
      })),
      importing: null,
      leftOut: nothingLost,
    };
  };
}

function firstOf(
  all: readonly Standing[],
  said: (standing: Standing) => string | null,
): string | null {
  return all.map(said).find((text) => text !== null) ?? null;
}

function earliest(times: readonly (string | null)[]): string | null {
  return (
    times
      .filter((time) => time !== null)
      .toSorted()
      .at(0) ?? null
  );
}
