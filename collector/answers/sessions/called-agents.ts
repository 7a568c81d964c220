/** Names of subagents' agents that only their parents' tool results tell. */
import { findAgent } from '../../projections/session/agents.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { shortKey } from '../../projections/session/room.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { parentOf, readState } from './forks.ts';

/** By the subagent's id. Parents are read one after another: a document may be large. */
export async function callAgents(
  asked: UsageViews,
  states: readonly SessionState[],
): Promise<ReadonlyMap<string, string>> {
  const byParent = Map.groupBy(states.filter(isUnnamed), parentOf);
  const called = new Map<string, string>();
  for (const [parent, children] of byParent) {
    const state = parent === null ? null : await readState(asked, parent);
    for (const { id } of state === null ? [] : children) {
      const name = state === null ? null : findAgent(state, shortKey(id));
      if (name !== null) called.set(id, name);
    }
  }
  return called;
}

function isUnnamed({ timeline }: SessionState): boolean {
  const agent = timeline.attributions.at(-1)?.facts.agent;
  return agent?.kind === 'subagent' && agent.name === null;
}
