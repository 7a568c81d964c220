/** What a session and the subagents below it, at every level, spent together. */
import type { SessionDetails } from '@pi-ledger/contract/answers';
import { usage } from '../../projections/usage.ts';
import { addSum, noSums, toFigures } from '../spend/figures.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { childrenOf, levelsMax, subagentsMax } from './subagents.ts';

/** The same figures as in the session's answer, where it is null without subagents. */
export type WithSubagents = NonNullable<SessionDetails['withSubagents']>;

export async function spentWithSubagents(asked: UsageViews, id: string): Promise<WithSubagents> {
  const { views, sessions } = asked;
  const { ids, isAtLeast } = await findSubagentIds(asked, id);
  const where = [{ column: 'session', is: 'in' as const, values: [id, ...ids] }];
  const sums = noSums();
  for (const { dimensions, measures } of await views.sum(sessions, usage, {
    by: ['billing'],
    where,
  }))
    addSum(sums, dimensions.billing ?? '', measures);
  return { subagents: ids.length, isAtLeast, ...toFigures(sums) };
}

export interface SubagentIds {
  readonly ids: readonly string[];
  /** There are more than the limit. */
  readonly isAtLeast: boolean;
}

/** Those that the caller may see; what is only below a hidden one is left out too. */
export async function findSubagentIds(asked: UsageViews, id: string): Promise<SubagentIds> {
  const found = new Set([id]);
  let level: readonly string[] = [id];
  for (let depth = 0; depth < levelsMax && level.length > 0; depth++) {
    const children = await childrenOf(asked, level, { bodies: false });
    level = children.map(({ key }) => key).filter((key) => !found.has(key));
    for (const key of level) found.add(key);
    if (found.size > subagentsMax + 1) break;
  }
  const ids = [...found].slice(1, subagentsMax + 1);
  return { ids, isAtLeast: found.size > subagentsMax + 1 };
}
