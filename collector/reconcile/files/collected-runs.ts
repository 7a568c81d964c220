/**
 * Which run of which subagent a tool result tells of. It names the session, or the agent whose
 * result was asked for. Pure.
 */
import { asText, jsonObjects } from './entry-fields.ts';
import { sessionIdInTimedName } from './file-header.ts';
import type { Above, EntryContext, FileUnit } from './file-unit.ts';
import { namesIn, pathEnd } from './result-ties.ts';
import { type Json, jsonObject } from './usage-figures.ts';

export function subagentsIn(
  { sessionId, above: { agentIds } }: EntryContext,
  { details, toolCallId, toolName }: Json,
): Pick<FileUnit, 'names' | 'runs' | 'tool'> {
  const names = namesIn(details);
  const { agentId, runId } = jsonObject(details) ?? {};
  const asked = asText(agentId) ?? agentIds?.get(toolCallId) ?? null;
  const called = subagentNamesIn(details).filter(
    (name) => (sessionIdInTimedName(name) ?? name) !== sessionId,
  );
  const subagents = called.length > 0 || asked === null ? called.map(pathEnd) : [asked];
  const run = asText(runId);
  const runs = subagents.map((each) => (run === null ? `same:${each}` : `run:${run} ${each}`));
  return { names, runs, tool: asText(toolName) ?? '' };
}

/** An id alone, without an agent or a file, may be that of anything. */
function subagentNamesIn(details: unknown): readonly string[] {
  const { results, ...whole } = jsonObject(details) ?? {};
  return [whole, ...jsonObjects(results)].flatMap((each) =>
    typeof each.sessionFile === 'string' || asText(each.agent) !== null ? namesIn(each) : [],
  );
}

/** By tool call of an answer. */
export function readAgentIds({ content }: Json): Pick<Above, 'agentIds'> {
  const asked = jsonObjects(content).flatMap(({ id, arguments: said }) => {
    const agentId = asText(jsonObject(said)?.agent_id);
    return agentId === null ? [] : [[id, agentId] as const];
  });
  return asked.length === 0 ? {} : { agentIds: new Map(asked) };
}
