/**
 * What a tool spent and says in its result's details, where the meaning of the place is known:
 * omp's `generate_image` and `web_search`, with the names of the provider that they asked. No price
 * is said. A usage that the host books on the result itself (`message.usage`) has it all: see
 * message-entry.ts.
 */
import { type EventDraft, noSizes } from './draft.ts';
import { type Entry, entryMessage } from './entry.ts';
import { entryDraft, entryFields, type RecordedSession } from './entry-draft.ts';
import { asCount, asObject, asString, asText, type JsonObject } from './fields.ts';
import { nestedModel } from './nested-model.ts';
import type { PathState } from './path-state.ts';
import { readSpend } from './spend.ts';

type UsageRecorded = EventDraft<'pi.usage.recorded.v1'>;

/** An event of its own: the tool's result was recorded without this by earlier versions. */
export function recordToolUsage(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): readonly UsageRecorded[] {
  const message = entryMessage(entry);
  const told = toldBy(message);
  if (told === null || asObject(message.usage) !== null) return [];
  const { usage, place } = told;
  const responseId = asString(place.requestId);
  const spend = readSpend(readBuckets(usage), {
    ...nestedModel(place, above),
    responseId: asText(responseId),
  });
  if (!spend.reported) return [];
  const data = {
    ...entryFields(entry, above, noSizes),
    kind: 'tool',
    purpose: asText(message.toolName),
    spend: { ...spend, rawUsage: readSpend(usage, spend).rawUsage },
  };
  return [entryDraft('pi.usage.recorded.v1', session, entry, data, { responseId, usage })];
}

interface Told {
  readonly usage: JsonObject;
  /** Where provider and model stand. */
  readonly place: JsonObject;
}

/** omp writes a tool's name with `_` before it where an API reserves the name. */
function toldBy(message: JsonObject): Told | null {
  const details = asObject(message.details);
  const name = asString(message.toolName)?.replace(/^_/, '');
  const place =
    name === 'generate_image'
      ? details
      : name === 'web_search'
        ? asObject(details?.response)
        : null;
  const usage = asObject(place?.usage);
  return place === null || usage === null ? null : { usage, place };
}

/**
 * The figures under one host's names. OpenAI and Gemini count what came from the cache as input,
 * and Gemini does not count what the model thought as output.
 */
function readBuckets(usage: JsonObject): JsonObject {
  const { cached_tokens } = asObject(usage.input_tokens_details) ?? {};
  const { reasoning_tokens } = asObject(usage.output_tokens_details) ?? {};
  const cached = firstCount(cached_tokens, usage.cachedContentTokenCount);
  const thought = firstCount(usage.thoughtsTokenCount) ?? 0;
  const sent = firstCount(usage.input_tokens, usage.promptTokenCount) ?? 0;
  const answered = firstCount(usage.output_tokens, usage.candidatesTokenCount) ?? 0;
  return {
    ...usage,
    input: firstCount(usage.input, usage.inputTokens) ?? Math.max(sent - (cached ?? 0), 0),
    output: firstCount(usage.output, usage.outputTokens) ?? answered + thought,
    cacheRead: firstCount(usage.cacheRead) ?? cached,
    reasoning: firstCount(usage.reasoning, reasoning_tokens, usage.thoughtsTokenCount),
    totalTokens: firstCount(usage.totalTokens, usage.total_tokens, usage.totalTokenCount),
  };
}

function firstCount(...values: readonly unknown[]): number | null {
  return values.map(asCount).find((count) => count !== null) ?? null;
}
