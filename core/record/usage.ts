/**
 * Spend outside answers, tools, compactions and branch summaries: entries with `usage` of their
 * own.
 */
import { type EventDraft, noSizes } from './draft.ts';
import { type Entry, entryMessage } from './entry.ts';
import { entryDraft, entryFields, type RecordedSession } from './entry-draft.ts';
import { asObject, asString, asText, type JsonObject } from './fields.ts';
import type { PathState } from './path-state.ts';
import { answeredIn, isReported, readSpend } from './spend.ts';

type UsageRecorded = EventDraft<'pi.usage.recorded.v1'>;

/** pi's `usage` entries name their kind (`cache_warm`). */
export function recordUsage(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): UsageRecorded {
  return usageDraft(
    session,
    entry,
    above,
    { kind: asText(entry.body.kind) ?? entry.type, purpose: null },
    entry.body,
  );
}

/** omp's `model_usage` entries: calls outside the conversation, with their purpose. */
export function recordSideCall(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): UsageRecorded {
  return usageDraft(
    session,
    entry,
    above,
    { kind: 'side_call', purpose: asText(entry.body.purpose) },
    entry.body,
  );
}

/**
 * Entry types and message roles that are unknown here: new kinds of spend are never dropped. Null
 * without usage.
 */
export function recordUnknown(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
  role: string | null,
): UsageRecorded | null {
  const source = role === null ? entry.body : entryMessage(entry);
  if (asObject(source.usage) === null) return null;
  return usageDraft(session, entry, above, { kind: role ?? entry.type, purpose: null }, source);
}

/**
 * A `custom` entry with usage in its data: an extension asked a model by itself, and says what the
 * last answer spent. There may have been more, so it is a lower bound. Null without figures.
 */
export function recordExtensionUsage(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): UsageRecorded | null {
  const data = asObject(entry.body.data);
  const usage = asObject(data?.usage);
  if (data === null || usage === null || !isReported(usage)) return null;
  const what = { kind: entry.type, purpose: asText(entry.body.customType) };
  return usageDraft(session, entry, above, what, data);
}

function usageDraft(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
  what: { kind: string; purpose: string | null },
  source: JsonObject,
): UsageRecorded {
  const answered = {
    ...answeredIn(source),
    model: asText(source.model) ?? asText(source.modelId),
  };
  const data = {
    ...entryFields(entry, above, noSizes),
    ...what,
    spend: readSpend(source.usage, answered),
  };
  return entryDraft('pi.usage.recorded.v1', session, entry, data, {
    responseId: asString(source.responseId),
    usage: source.usage,
  });
}
