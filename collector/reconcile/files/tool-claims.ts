/** What tool results claim that subagents spent. Pure. */
import { digestOf, identityOf, sortedJson, type Unit } from '../unit.ts';
import { jsonObjects, textCharsMax } from './entry-fields.ts';
import type { EntryContext, FileUnit } from './file-unit.ts';
import { type Json, jsonObject, usageFigures } from './usage-figures.ts';

/**
 * What a tool result without its own usage says about subagents. omp gives one figure for each, by
 * name. pi's subagent tools repeat the messages, which may themselves repeat subagents, or give one
 * figure. A message repeated twice is one claim; two equal sums are two claims.
 */
export function readClaims(context: EntryContext, message: Json): readonly FileUnit[] {
  const claims = claimsIn(context, jsonObject(message.details), 0);
  const repeats = new Map<string, number>();
  return claims.flatMap((claim) => {
    const isSum = claim.unit.claimKey?.startsWith('turn:') === true;
    const known = isSum ? claim.unitId : (claim.unit.claimKey ?? '');
    const repeat = repeats.get(known) ?? 0;
    repeats.set(known, repeat + 1);
    if (repeat === 0) return [claim];
    return isSum ? [{ ...claim, unitId: digestOf(`${claim.unitId} ${repeat}`) }] : [];
  });
}

/** The deepest nesting of subagents; anything deeper is a damaged file. */
const depthMax = 32;

function claimsIn(context: EntryContext, details: Json | null, depth: number): readonly FileUnit[] {
  if (details === null || depth > depthMax) return [];
  return jsonObjects(details.results).flatMap((result) => {
    const tasks = jsonObjects(jsonObject(result.extractedToolData)?.task);
    return [
      ...claimsOfResult(context, result, depth),
      ...tasks.flatMap((task) => claimsIn(context, task, depth + 1)),
    ];
  });
}

function claimsOfResult(context: EntryContext, result: Json, depth: number): readonly FileUnit[] {
  const messages = withoutRepeatedResults(jsonObjects(result.messages));
  if (messages.length > 0)
    return messages.flatMap((message) => claimsOfMessage(context, message, depth));
  if (jsonObject(result.usage) === null) return [];
  const isNamed = typeof result.id === 'string' && typeof result.index === 'number';
  const key = isNamed
    ? `agent:${result.id}`.slice(0, textCharsMax)
    : `turn:${context.above.turnEntryId ?? context.entryId}`;
  return [makeClaim(context, key, result.usage)];
}

/** Some tools repeat a child's tool result twice. */
function withoutRepeatedResults(messages: readonly Json[]): readonly Json[] {
  const calls = new Set<unknown>();
  return messages.filter(({ role, toolCallId }) => {
    if (role !== 'toolResult' || typeof toolCallId !== 'string')
      return role === 'assistant' || role === 'toolResult';
    const isNew = !calls.has(toolCallId);
    calls.add(toolCallId);
    return isNew;
  });
}

function claimsOfMessage(context: EntryContext, message: Json, depth: number): readonly FileUnit[] {
  if (jsonObject(message.usage) === null)
    return claimsIn(context, jsonObject(message.details), depth + 1);
  return [makeClaim(context, responseKeyOf(message), message.usage)];
}

function makeClaim(context: EntryContext, claimKey: string, usage: unknown): FileUnit {
  const said = jsonObject(usage) ?? {};
  const identity = identityOf(context.entryId, context.timeMs, null, said, claimKey);
  const unit: Unit = {
    sessionId: context.sessionId,
    kind: 'claim',
    claimKey,
    turnEntryId: context.above.turnEntryId,
    entryId: context.entryId,
    timeMs: context.timeMs,
    provider: null,
    model: null,
    ...usageFigures(said),
    identity,
  };
  return { unit, unitId: identity, responseKey: null, turnAtMs: context.above.turnAtMs };
}

/** The key of one answer, the same for the session that claims it and the one that gave it. */
export function responseKeyOf(message: Json): string {
  const said = [
    plain(message.responseId),
    plain(message.timestamp),
    sortedJson(message.usage ?? null),
  ];
  return `response:${digestOf(`[${said.join()}]`).slice(0, 16)}`;
}

function plain(value: unknown): string {
  return sortedJson(typeof value === 'object' ? null : value);
}
