/**
 * What a session's tool results call the agents of its subagents, by the refs of these
 * (claims.ts). Beyond the limit, the alphabetically last refs are left out. Pure.
 */
import type { EventData } from '@pi-ledger/contract';
import type { Children } from './children.ts';
import { compareText } from './compare-text.ts';

type Link = Pick<EventData<'pi.subagent.linked.v1'>, 'entryId' | 'ref' | 'agentName'>;

/** By ref: names by the tool result's entry id. */
export type Agents = Map<string, Map<string, string>>;

const refsMax = 1_000;
const nameCharsMax = 100;

export function addAgent(agents: Agents, { entryId, ref, agentName }: Link): void {
  if (entryId === null || agentName === null) return;
  const names = agents.get(ref) ?? new Map<string, string>();
  agents.set(ref, names.set(entryId, agentName.slice(0, nameCharsMax)));
  if (agents.size <= refsMax) return;
  const last = [...agents.keys()].sort(compareText).at(-1);
  if (last !== undefined) agents.delete(last);
}

/** For a tool result that now counts in another session. */
export function removeAgent(agents: Agents, { entryId, ref }: Link): void {
  const names = agents.get(ref);
  if (entryId === null || names === undefined) return;
  names.delete(entryId);
  if (names.size === 0) agents.delete(ref);
}

interface Parent {
  readonly agents: Agents;
  readonly claims: { readonly children: Pick<Children, 'names'> };
}

/** The alphabetically first of several names; null without any. */
export function findAgent({ agents, claims }: Parent, childSessionId: string): string | null {
  const refs = [`session:${childSessionId}`, ...(claims.children.names.get(childSessionId) ?? [])];
  const names = refs.flatMap((ref) => [...(agents.get(ref)?.values() ?? [])]);
  return names.sort(compareText)[0] ?? null;
}

export type AgentsBody = readonly (readonly [ref: string, entryId: string, name: string])[];

/** Nothing where there are none. */
export function encodeAgents(agents: Agents): { agents?: AgentsBody } {
  const named = [...agents].flatMap(([ref, names]) =>
    [...names].map(([entryId, name]) => [ref, entryId, name] as const),
  );
  named.sort((left, right) => compareText(left[0], right[0]) || compareText(left[1], right[1]));
  return named.length === 0 ? {} : { agents: named };
}

export function decodeAgents(body: AgentsBody): Agents {
  const agents: Agents = new Map();
  for (const [ref, entryId, agentName] of body) addAgent(agents, { entryId, ref, agentName });
  return agents;
}
