/**
 * The weight of each recorded entry in the context, for `/ledger context`: a few numbers per entry,
 * kept as entries are recorded. Earlier entries are weighed on demand.
 */
import type { EventData, Sizes } from '@pi-ledger/contract';
import { type EventDraft, noSizes } from '../../core/record/draft.ts';
import { conversationTokens } from '../../core/record/orchestration.ts';

interface WeightBase {
  readonly parentId: string | null;
  readonly sizes: Sizes;
}

export type Weight =
  | (WeightBase & {
      readonly kind: 'message';
      readonly part: string;
      readonly toolDefinitionChars: number;
    })
  | (WeightBase & {
      readonly kind: 'answer';
      readonly sentTokens: number;
      readonly outputTokens: number;
      readonly nonMessageTokens: number | null;
    })
  | (WeightBase & { readonly kind: 'compaction'; readonly compaction: CompactionWeight })
  | (WeightBase & {
      readonly kind: 'edit';
      readonly targetEntryId: string | null;
      readonly removed: boolean;
    })
  /** Not sent by hosts: an attempt that reported nothing, a label. */
  | (WeightBase & { readonly kind: 'nothing' });

export interface CompactionWeight {
  readonly timeMs: number;
  readonly firstKeptEntryId: string | null;
  readonly tokensBefore: number | null;
  /** The host's estimate. */
  readonly tokensAfterEstimated: number | null;
  /** It is null when nothing was reported, or the price is not known. */
  readonly costNanoUsd: number | null;
  readonly toolDefinitionChars: number;
  readonly fromExtension: boolean;
}

/** By entry id. */
export type Weights = Map<string, Weight>;

export function storeWeight(weights: Weights, draft: EventDraft): void {
  if (!('sizes' in draft.data)) return;
  const weight = weighDraft(draft, draft.data);
  // An entry can give two events; the one that fills the context counts.
  if (weight.kind !== 'nothing' || !weights.has(draft.data.entryId))
    weights.set(draft.data.entryId, weight);
}

export function weightless(parentId: string | null): Weight {
  return { kind: 'nothing', parentId, sizes: noSizes };
}

interface EntryData {
  readonly parentEntryId: string | null;
  readonly sizes: Sizes;
}

function weighDraft(draft: EventDraft, entry: EntryData): Weight {
  switch (draft.type) {
    case 'pi.turn.completed.v1':
      return turnWeight(draft.data);
    case 'pi.tool.completed.v1':
      return message(entry, `${draft.data.toolName} results`);
    case 'pi.prompt.submitted.v1':
      return message(entry, 'user');
    case 'pi.branch.summarized.v1':
      return message(entry, 'branch summary');
    case 'pi.message.appended.v1':
      return message(
        entry,
        draft.data.role === 'system' ? 'system prompt' : draft.data.role,
        draft.data.toolDefinitionChars,
      );
    case 'pi.compaction.completed.v1':
      return compactionWeight(draft.data, Date.parse(draft.time));
    case 'pi.context.edited.v1':
      return editWeight(draft.data);
    default:
      return weightless(entry.parentEntryId);
  }
}

function message(
  { parentEntryId: parentId, sizes }: EntryData,
  part: string,
  toolDefinitionChars = 0,
): Weight {
  return { kind: 'message', part, toolDefinitionChars, parentId, sizes };
}

function turnWeight({
  spend,
  nonMessageTokens,
  parentEntryId: parentId,
  sizes,
}: EventData<'pi.turn.completed.v1'>): Weight {
  if (!spend.reported) return weightless(parentId);
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } =
    conversationTokens(spend);
  return {
    kind: 'answer',
    sentTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
    outputTokens,
    nonMessageTokens: nonMessageTokens ?? null,
    parentId,
    sizes,
  };
}

function compactionWeight(data: EventData<'pi.compaction.completed.v1'>, timeMs: number): Weight {
  const {
    firstKeptEntryId,
    tokensBefore,
    tokensAfterEstimated,
    spend,
    toolDefinitionChars = 0,
    fromExtension,
  } = data;
  const costNanoUsd = spend?.costNanoUsd ?? null;
  const compaction = {
    timeMs,
    firstKeptEntryId,
    tokensBefore,
    tokensAfterEstimated,
    costNanoUsd,
    toolDefinitionChars,
    fromExtension,
  };
  return { kind: 'compaction', compaction, parentId: data.parentEntryId, sizes: data.sizes };
}

function editWeight({
  targetEntryId,
  removed,
  parentEntryId: parentId,
  sizes,
}: EventData<'pi.context.edited.v1'>): Weight {
  return { kind: 'edit', targetEntryId, removed, parentId, sizes };
}
