import type { Imports } from './imports.ts';

export const accounts = (imports: Imports) =>
  imports
    .of('pi.subagent.accounted.v1')
    .map(({ subject, data }) => [subject, data.childSessionId, data.childEntryId, data.keys[0]]);

/** As views see them: the newest attribution counts. */
export const newestAgents = (imports: Imports) =>
  Object.fromEntries(
    imports
      .of('pi.session.attributed.v1')
      .toSorted((a, b) =>
        `${a.time} ${JSON.stringify(a.data)}` < `${b.time} ${JSON.stringify(b.data)}` ? -1 : 1,
      )
      .map(({ subject, data }) => [subject, [data.agent.kind, data.parentSessionId]]),
  );

export const agents = (imports: Imports) =>
  Object.fromEntries(
    imports
      .of('pi.session.attributed.v1')
      .map(({ subject, data }) => [subject, [data.agent.kind, data.parentSessionId]]),
  );

export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
