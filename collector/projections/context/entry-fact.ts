/** Turns an entry event into the fact to keep; null for other events. */

import type { EventData, LedgerEvent, Sizes, Spend } from '@pi-ledger/contract';
import { conversationTokens } from '@pi-ledger/core/record/orchestration';
import { readPrice } from '@pi-ledger/core/spend/price';
import type { EntryFact, SizeFigures, SpendFact } from './facts.ts';

export interface PathLimits {
  /** Paths of one tool call. */
  readonly toolPathsMax: number;
  /** Paths in each of a summary's two lists. */
  readonly summaryPathsMax: number;
  /** Longer paths are left out: a truncated path would name another file. */
  readonly pathCharsMax: number;
}

export function toEntryFact(
  { id, type, time, data }: LedgerEvent,
  limits: PathLimits,
): EntryFact | null {
  switch (type) {
    case 'pi.prompt.submitted.v1':
      return { kind: 'user', ...baseFact(time, data) };
    case 'pi.turn.completed.v1':
      return {
        kind: 'turn',
        ...baseFact(time, data),
        ...spendFact(data.spend),
        ...costFact(data.spend),
        ...answerFact(data),
      };
    case 'pi.tool.completed.v1':
      return { kind: 'tool', ...baseFact(time, data), ...toolFact(data, limits) };
    case 'pi.message.appended.v1':
      return { kind: 'message', ...baseFact(time, data), ...messageFact(data) };
    case 'pi.model.changed.v1':
      return { kind: 'model', ...baseFact(time, data), ...modelFact(data) };
    case 'pi.usage.recorded.v1':
      return {
        kind: 'usage',
        ...baseFact(time, data),
        usageKind: data.kind,
        provider: data.spend.provider ?? '',
        costNanoUsd: readPrice(data.spend),
      };
    case 'pi.context.edited.v1':
      return {
        kind: 'edit',
        ...baseFact(time, data),
        targetId: data.targetEntryId,
        removed: data.removed,
      };
    case 'pi.compaction.completed.v1': {
      const { tokensBefore, tokensAfterEstimated, firstKeptEntryId, method } = data;
      const own = {
        tokensBefore,
        tokensAfterEstimated,
        firstKeptId: firstKeptEntryId,
        method: method ?? '',
        toolDefinitionChars: data.toolDefinitionChars ?? 0,
      };
      return {
        kind: 'compaction',
        ...baseFact(time, data),
        eventId: id,
        ...summaryFact(data, limits),
        ...own,
      };
    }
    case 'pi.branch.summarized.v1':
      return {
        kind: 'branchSummary',
        ...baseFact(time, data),
        eventId: id,
        ...summaryFact(data, limits),
        fromId: data.fromEntryId,
      };
    default:
      return null;
  }
}

interface Entry {
  readonly entryId: string;
  readonly parentEntryId: string | null;
  readonly promptEntryId: string | null;
  readonly sizes: Sizes;
}

function baseFact(time: string, { entryId, parentEntryId, promptEntryId, sizes }: Entry) {
  const { textChars, thinkingChars, toolCallChars, otherChars, images } = sizes;
  const figures: SizeFigures = [textChars, thinkingChars, toolCallChars, otherChars, images];
  return { time, id: entryId, parentId: parentEntryId, promptId: promptEntryId, sizes: figures };
}

/** Tokens are those of the conversation: what else a provider spends fills no context. */
function spendFact(spend: Spend): SpendFact {
  const { provider, model, reported } = spend;
  const figures = { ...conversationTokens(spend), costNanoUsd: readPrice(spend) };
  return { provider: provider ?? '', model: model ?? '', reported, ...figures };
}

function answerFact(data: EventData<'pi.turn.completed.v1'>) {
  const { stopReason, nonMessageTokens, requestedAtMs, durationMs, errorStatus } = data;
  return {
    stopReason: stopReason ?? '',
    nonMessageTokens: nonMessageTokens ?? null,
    requestedAtMs,
    durationMs,
    firstTokenMs: data.timeToFirstTokenMs,
    errorStatus,
  };
}

function messageFact({
  role,
  toolDefinitionChars = 0,
  toolsAdded = 0,
  toolsRemoved = 0,
}: EventData<'pi.message.appended.v1'>) {
  return { role, toolDefinitionChars, toolsChanged: toolsAdded + toolsRemoved > 0 };
}

/** The host splits the cost by kind of token. In an unpriced answer these are meaningless zeros. */
function costFact({ costSource, rawUsage }: Spend) {
  const cost =
    costSource === 'unpriced'
      ? null
      : (rawUsage.cost as Readonly<Record<string, unknown>> | null | undefined);
  return {
    inputNanoUsd: nano(cost?.input),
    cacheReadNanoUsd: nano(cost?.cacheRead),
    cacheWriteNanoUsd: nano(cost?.cacheWrite),
    outputNanoUsd: nano(cost?.output),
  };
}

function nano(usd: unknown): number | null {
  const amount = typeof usd === 'number' && usd >= 0 ? Math.round(usd * 1e9) : Number.NaN;
  return Number.isSafeInteger(amount) ? amount : null;
}

function toolFact(
  {
    toolName,
    isError,
    turnEntryId,
    paths,
    toolCallId,
    durationMs,
    spend,
  }: EventData<'pi.tool.completed.v1'>,
  limits: PathLimits,
) {
  return {
    toolName,
    isError,
    turnId: turnEntryId,
    paths: bounded(paths, limits.toolPathsMax, limits),
    callId: toolCallId,
    durationMs,
    provider: spend?.provider ?? '',
    costNanoUsd: spend === null ? null : readPrice(spend),
  };
}

function modelFact({ provider, model, thinkingLevel, role }: EventData<'pi.model.changed.v1'>) {
  return {
    provider: provider ?? '',
    model: model ?? '',
    thinkingLevel: thinkingLevel ?? '',
    role: role ?? '',
  };
}

type SummaryData = EventData<'pi.compaction.completed.v1'> | EventData<'pi.branch.summarized.v1'>;

function summaryFact(
  { fromExtension, filesRead, filesModified, spend }: SummaryData,
  limits: PathLimits,
) {
  return {
    fromExtension,
    filesRead: bounded(filesRead, limits.summaryPathsMax, limits),
    filesReadCount: filesRead.length,
    filesModified: bounded(filesModified, limits.summaryPathsMax, limits),
    filesModifiedCount: filesModified.length,
    spend: spend === null ? null : spendFact(spend),
  };
}

function bounded(
  paths: readonly string[],
  max: number,
  { pathCharsMax }: PathLimits,
): readonly string[] {
  return paths.filter((path) => path.length <= pathCharsMax).slice(0, max);
}
