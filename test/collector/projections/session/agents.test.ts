import { expect, it } from 'vitest';
import {
  type Agents,
  addAgent,
  decodeAgents,
  encodeAgents,
  findAgent,
  removeAgent,
} from '../../../../collector/projections/session/agents.ts';

const named = (entryId: string, ref: string, agentName: string | null = 'scout') => ({
  entryId,
  ref,
  agentName,
});
const parent = (agents: Agents, names: readonly [string, Set<string>][] = []) => ({
  agents,
  claims: { children: { names: new Map(names) } },
});

function agentsIn(links: readonly ReturnType<typeof named>[]): Agents {
  const agents: Agents = new Map();
  for (const link of links) addAgent(agents, link);
  return decodeAgents(encodeAgents(agents).agents ?? []);
}

it('are named by id, and by what the subagent may be called', () => {
  const file = 'file:run/run-0/session.jsonl';
  const agents = agentsIn([named('r1', 'session:c1'), named('r2', file, 'reviewer')]);
  expect(findAgent(parent(agents), 'c1')).toBe('scout');
  expect(findAgent(parent(agents), 'c2')).toBeNull();
  expect(findAgent(parent(agents, [['c2', new Set([file])]]), 'c2')).toBe('reviewer');
  expect(encodeAgents(agentsIn([named('r1', 'session:c1', null)]))).toEqual({});
});

it('have the first of several names, in any order, until its result counts elsewhere', () => {
  const links = [named('r1', 'session:c1', 'b'), named('r2', 'session:c1', 'a')];
  for (const given of [links, links.toReversed()])
    expect(findAgent(parent(agentsIn(given)), 'c1')).toBe('a');
  const agents = agentsIn(links);
  removeAgent(agents, named('r2', 'session:c1'));
  expect(findAgent(parent(agents), 'c1')).toBe('b');
  removeAgent(agents, named('r1', 'session:c1'));
  expect(agents.size).toBe(0);
});

it('are bounded: the alphabetically last refs are left out, whatever came first', () => {
  const links = Array.from({ length: 1_001 }, (_, index) =>
    named('r', `session:${String(index).padStart(4, '0')}`),
  );
  for (const given of [links, links.toReversed()]) {
    const agents = agentsIn(given);
    expect(agents.size).toBe(1_000);
    expect(agents.has('session:1000')).toBe(false);
  }
});
