/** Compactions and branch summaries: a model condensed part of the conversation. */
import type { Content, Spend } from '@pi-ledger/contract';
import { type EventDraft, noSizes } from './draft.ts';
import type { Entry } from './entry.ts';
import { type EntryFields, entryDraft, entryFields, type RecordedSession } from './entry-draft.ts';
import {
  asCount,
  asEntryId,
  asList,
  asObject,
  asString,
  asText,
  type JsonObject,
} from './fields.ts';
import type { PathState } from './path-state.ts';
import { projectPaths } from './paths.ts';
import { charsIn, definitionChars, systemSizes, textChars, withOther } from './sizes.ts';
import { readSpend } from './spend.ts';

export function recordCompaction(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.compaction.completed.v1'> {
  const { body } = entry;
  const data = {
    ...summaryFields(session, entry, above),
    ...repeatedSystem(body),
    tokensBefore: asCount(body.tokensBefore),
    tokensAfterEstimated: asCount(body.tokensAfter),
    firstKeptEntryId: above.followsPrivate ? null : asEntryId(body.firstKeptEntryId),
    method: asText(body.method),
  };
  return entryDraft('pi.compaction.completed.v1', session, entry, data, {
    responseId: null,
    usage: body.usage,
  });
}

export function recordBranchSummary(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.branch.summarized.v1'> {
  const { body } = entry;
  const fromEntryId =
    above.followsPrivate || body.fromId === 'root' ? null : asEntryId(body.fromId);
  const data = { ...summaryFields(session, entry, above), fromEntryId };
  return entryDraft('pi.branch.summarized.v1', session, entry, data, {
    responseId: null,
    usage: body.usage,
  });
}

interface SummaryFields extends EntryFields {
  readonly fromExtension: boolean;
  readonly filesRead: string[];
  readonly filesModified: string[];
  readonly spend: Spend | null;
  readonly summaryText?: Content;
}

/** Whether an entry contains a summary text. */
export function holdsSummary({ type }: Entry): boolean {
  return type === 'compaction' || type === 'branch_summary';
}

function summaryFields(session: RecordedSession, entry: Entry, above: PathState): SummaryFields {
  const { body } = entry;
  return {
    ...entryFields(entry, above, summarySizes(body)),
    fromExtension: body.fromHook === true || body.fromExtension === true,
    spend: asObject(body.usage) === null ? null : readSpend(body.usage, inForce(above)),
    ...(above.followsPrivate ? ofPrivate(entry) : whatItTells(session, body)),
  };
}

type Told = Pick<SummaryFields, 'filesRead' | 'filesModified' | 'summaryText'>;

function whatItTells(session: RecordedSession, body: JsonObject): Told {
  const details = asObject(body.details);
  return {
    filesRead: projectPaths(session.cwd, texts(details?.readFiles)),
    filesModified: projectPaths(session.cwd, texts(details?.modifiedFiles)),
    ...summaryText(session, body),
  };
}

/** A host may write the summary below a private entry that it moves to. */
function ofPrivate({ type, parentId }: Entry): Told & Pick<SummaryFields, 'parentEntryId'> {
  const parentEntryId = type === 'branch_summary' ? null : parentId;
  return { filesRead: [], filesModified: [], parentEntryId };
}

function summaryText(
  { contentOf }: RecordedSession,
  body: JsonObject,
): Pick<SummaryFields, 'summaryText'> {
  const text = asString(body.summary) ?? '';
  const content = text === '' ? null : (contentOf?.(text) ?? null);
  return content === null ? {} : { summaryText: content };
}

/**
 * pi repeats the system message in the compaction entry, where it fills the context from then on.
 */
function summarySizes(body: JsonObject): EntryFields['sizes'] {
  return withOther(
    { ...noSizes, textChars: textChars(body.summary) },
    charsIn(systemSizes(asObject(body.systemMessage) ?? {})),
  );
}

function repeatedSystem(
  body: JsonObject,
): { systemChars: number; toolDefinitionChars: number } | Record<string, never> {
  const message = asObject(body.systemMessage);
  if (message === null) return {};
  const toolDefinitionChars = definitionChars(message);
  return { systemChars: charsIn(systemSizes(message)) - toolDefinitionChars, toolDefinitionChars };
}

/** Summaries are made by the current model; the entry names none. */
function inForce(above: PathState) {
  return {
    provider: above.provider,
    api: null,
    model: above.model,
    responseModel: null,
    responseId: null,
  };
}

function texts(value: unknown): string[] {
  return asList(value).filter((item) => typeof item === 'string');
}
