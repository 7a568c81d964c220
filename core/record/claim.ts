/**
 * Claims in a tool result about what subagents spent. omp's task results name each subagent and its
 * sum. pi's subagent tools repeat the messages of their children, including those of the children's
 * children, or give only a sum.
 *
 * A session that is itself a subagent forwards its claims to its parent, which may read the same in
 * its own tool result. Spend that the host books on the result (`message.usage`) is the tool's own:
 * see message-entry.ts.
 */
import { recordForwarded } from './account.ts';
import type { EventDraft } from './draft.ts';
import { type Entry, entryMessage } from './entry.ts';
import { entryDraft, type RecordedSession } from './entry-draft.ts';
import { asList, asObject, asString, asText, type JsonObject } from './fields.ts';
import type { PathState } from './path-state.ts';
import { type Answered, answeredIn, readSpend } from './spend.ts';
import { agentKey, responseKeyOf, turnKey } from './subagent.ts';

/** Not limited: the whole result is in the host's memory anyway. */
export function recordClaims(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): readonly EventDraft[] {
  const message = entryMessage(entry);
  const details = asObject(message.details);
  if (details === null || asObject(message.usage) !== null) return [];
  const claims = distinct(claimsIn(details, turnKey(above.turnEntryId ?? entry.key), 0));
  const meant =
    session.isMemoryOnly === true ? claims.filter(({ key }) => !key.startsWith('agent:')) : claims;
  return meant.flatMap(({ key, agentName, usage, answered, repeat }) => {
    const claimed = readSpend(usage, answered);
    const toolCallId = asText(message.toolCallId);
    const data = {
      entryId: entry.key,
      turnEntryId: above.turnEntryId,
      toolCallId,
      agentName,
      key,
      claimed,
    };
    const said = { key, usage, ...(repeat > 0 && { repeat }) };
    const claim = entryDraft('pi.subagent.claimed.v1', session, entry, data, {
      responseId: null,
      usage: said,
    });
    return [claim, ...recordForwarded(session, entry, key, said, claimed)];
  });
}

interface SubagentClaim {
  readonly key: string;
  readonly agentName: string | null;
  readonly usage: JsonObject;
  readonly answered: Answered;
}

/** Subagents of subagents; deeper nesting means a damaged file. */
const depthMax = 32;

function claimsIn(details: JsonObject, turn: string, depth: number): SubagentClaim[] {
  if (depth > depthMax) return [];
  return asList(details.results).flatMap((value) => {
    const result = asObject(value) ?? {};
    const inner = asList(asObject(result.extractedToolData)?.task).flatMap((task) =>
      claimsIn(asObject(task) ?? {}, turn, depth + 1),
    );
    return [...readClaims(result, turn, depth), ...inner];
  });
}

function readClaims(result: JsonObject, turn: string, depth: number): SubagentClaim[] {
  const agentName = asText(result.agent);
  const messages = readMessages(result);
  if (messages.length > 0)
    return messages.flatMap((message) => messageClaims(message, agentName, turn, depth));
  const usage = asObject(result.usage);
  if (usage === null) return [];
  const id = asString(result.id);
  const isTask = id !== null && typeof result.index === 'number';
  return [
    {
      key: isTask ? agentKey(id) : turn,
      agentName,
      usage,
      answered: { ...unknownModel, ...readModel(result) },
    },
  ];
}

/** Drops repeats: some tools keep a tool's result twice, once for each of two events. */
function readMessages(result: JsonObject): readonly JsonObject[] {
  const calls = new Set<string>();
  return asList(result.messages)
    .map((value) => asObject(value) ?? {})
    .filter(({ role, toolCallId }) => {
      if (role !== 'toolResult' || typeof toolCallId !== 'string')
        return role === 'assistant' || role === 'toolResult';
      const isFirst = !calls.has(toolCallId);
      calls.add(toolCallId);
      return isFirst;
    });
}

function messageClaims(
  message: JsonObject,
  agentName: string | null,
  turn: string,
  depth: number,
): SubagentClaim[] {
  const usage = asObject(message.usage);
  if (usage === null) return claimsIn(asObject(message.details) ?? {}, turn, depth + 1);
  const answered = answeredIn(message);
  return [{ key: responseKeyOf(message), agentName, usage, answered }];
}

/** omp: `provider/model`; older versions append `:<thinking level>`. */
function readModel(result: JsonObject): Pick<Answered, 'provider' | 'model'> {
  const level = asText(result.resolvedThinkingLevel);
  const resolved =
    asString(result.resolvedModelIdentity) ??
    asString(result.resolvedModel)?.replace(`:${level}`, '') ??
    '';
  const slash = resolved.indexOf('/');
  if (slash < 1) return { provider: null, model: asText(result.model) };
  return { provider: asText(resolved.slice(0, slash)), model: asText(resolved.slice(slash + 1)) };
}

const unknownModel: Answered = {
  provider: null,
  api: null,
  model: null,
  responseModel: null,
  responseId: null,
};

/** The same subagent or answer twice is one claim; two equal sums of a turn are two. */
function distinct(
  claims: readonly SubagentClaim[],
): readonly (SubagentClaim & { readonly repeat: number })[] {
  const counts = new Map<string, number>();
  return claims.flatMap((claim) => {
    const isSum = claim.key.startsWith('turn:');
    const said = isSum ? claim.key + JSON.stringify(claim.usage) : claim.key;
    const repeat = counts.get(said) ?? 0;
    counts.set(said, repeat + 1);
    return repeat > 0 && !isSum ? [] : [{ ...claim, repeat }];
  });
}
