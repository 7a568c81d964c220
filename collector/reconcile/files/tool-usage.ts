/**
 * Usage that two tools of omp write into their results' details, without a price: what an image
 * cost in tokens, and what a search cost. Pure.
 */
import { identityOf, type Unit } from '../unit.ts';
import { asText } from './entry-fields.ts';
import type { EntryContext, FileUnit } from './file-unit.ts';
import { type Json, jsonObject, usageFigures } from './usage-figures.ts';

const placesOfTools: ReadonlyMap<unknown, (details: Json) => Json | null> = new Map([
  ['generate_image', (details: Json) => details],
  ['web_search', ({ response }: Json) => jsonObject(response)],
]);

/** Nothing for a result that has its usage where hosts keep it, or whose figures are all zero. */
export function unitsOfTool(context: EntryContext, message: Json): readonly FileUnit[] {
  const toolName = String(message.toolName).replace(/^_/, '');
  const place = placesOfTools.get(toolName)?.(jsonObject(message.details) ?? {}) ?? null;
  const usage = jsonObject(place?.usage);
  if (place === null || usage === null) return [];
  const figures = usageFigures(renamed(usage));
  if (!figures.reported) return [];
  const { entryId, timeMs, sessionId, above } = context;
  const identity = identityOf(entryId, timeMs, asText(place.requestId), usage, null);
  const unit: Unit = {
    sessionId,
    kind: 'tool',
    claimKey: null,
    turnEntryId: null,
    entryId,
    timeMs,
    ...namedBy(place, above.turnProvider),
    ...figures,
    identity,
  };
  return [{ unit, unitId: identity, responseKey: null, turnAtMs: above.turnAtMs }];
}

/** `provider/model`, or the two side by side. A level of thinking may follow the name. */
function namedBy(
  place: Json,
  turnProvider: string | null,
): { provider: string | null; model: string | null } {
  const level = /:(off|minimal|low|medium|high|xhigh|max)$/;
  const name = typeof place.model === 'string' ? place.model.replace(level, '') : '';
  const beside = asText(place.provider);
  const [first = '', ...rest] = name.split('/');
  const isJoined = beside === null && first !== '' && rest.length > 0;
  const model = asText(isJoined ? rest.join('/') : name);
  const provider = model === null ? null : isJoined ? asText(first) : beside;
  return { provider: provider ?? turnProvider, model };
}

/** The hosts' own names for the figures of other providers. */
function renamed(usage: Json): Json {
  const number = (...values: readonly unknown[]) =>
    values.find((value) => typeof value === 'number' && value >= 0 && value < Infinity) as
      | number
      | undefined;
  const cached = number(
    jsonObject(usage.input_tokens_details)?.cached_tokens,
    usage.cachedContentTokenCount,
  );
  const all = number(usage.input_tokens, usage.promptTokenCount) ?? 0;
  const thoughts = number(usage.thoughtsTokenCount);
  const answered = number(usage.output_tokens, usage.candidatesTokenCount) ?? 0;
  return {
    ...usage,
    input: number(usage.input, usage.inputTokens) ?? Math.max(all - (cached ?? 0), 0),
    output: number(usage.output, usage.outputTokens) ?? answered + (thoughts ?? 0),
    cacheRead: number(usage.cacheRead, cached),
    reasoning: number(
      usage.reasoning,
      jsonObject(usage.output_tokens_details)?.reasoning_tokens,
      thoughts,
    ),
    totalTokens: number(usage.totalTokens, usage.total_tokens, usage.totalTokenCount),
  };
}
