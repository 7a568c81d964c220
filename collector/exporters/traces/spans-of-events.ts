/** The spans of single events: answers, tools, and other records of spend. Pure. */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import { sentTokens } from '@pi-ledger/contract/spend-shape';
import { providerName } from '@pi-ledger/contract/telemetry/providers';
import type { SpanKey } from '@pi-ledger/contract/telemetry/spans';
import { withOrchestration } from '@pi-ledger/core/record/orchestration';
import { eventSpanId } from '../span-ids.ts';
import {
  compact,
  type ParentPlace,
  type SpanAttributes,
  type SpanDraft,
  type SpanPlace,
  spanName,
} from './draft.ts';
import { toSeconds } from './timing.ts';

/** What is known of the session and run around an event. */
export interface SpanSurroundings {
  readonly place: ParentPlace;
  readonly labels: SpanAttributes;
  /** The run's conversation has been compacted. */
  readonly isCompacted: boolean;
  /** Runs that it has to do with, besides its parent. */
  readonly links: readonly SpanPlace[];
  billingOf(spend: Pick<Spend, 'provider'>): string;
}

export function answerSpan(
  event: LedgerEvent<'pi.turn.completed.v1'>,
  around: SpanSurroundings,
): SpanDraft {
  const { spend, thinkingLevel, stopReason, errorStatus, timeToFirstTokenMs } = event.data;
  const { source, ...times } = answerTimes(event);
  return {
    ...frame('chat', event, around),
    ...times,
    name: spanName('chat', spend.model),
    attributes: compact({
      'gen_ai.operation.name': 'chat',
      ...around.labels,
      ...spendAttributes({ spend, kind: 'turn', billing: around.billingOf(spend) }),
      'gen_ai.request.reasoning.level': thinkingLevel,
      'gen_ai.response.finish_reasons': stopReason === null ? null : [stopReason],
      'gen_ai.response.time_to_first_chunk':
        timeToFirstTokenMs === null ? null : toSeconds(timeToFirstTokenMs),
      'gen_ai.conversation.compacted': around.isCompacted ? true : null,
      'pi.duration.source': source,
      'error.type': stopReason === 'error' ? String(errorStatus ?? 'unknown') : null,
    }),
  };
}

/** An entry's time is when the answer was complete, within some milliseconds. */
function answerTimes({ time, data }: LedgerEvent<'pi.turn.completed.v1'>) {
  const { requestedAtMs, durationMs } = data;
  const atMs = Date.parse(time);
  const startMs = requestedAtMs !== null && requestedAtMs <= atMs ? requestedAtMs : null;
  if (durationMs !== null)
    return startMs === null
      ? { startMs: atMs - durationMs, endMs: atMs, source: null }
      : { startMs, endMs: startMs + durationMs, source: null };
  return startMs === null
    ? { startMs: atMs, endMs: atMs, source: 'unknown' }
    : { startMs, endMs: atMs, source: 'clock' };
}

export function toolSpan(
  event: LedgerEvent<'pi.tool.completed.v1'>,
  around: SpanSurroundings,
): SpanDraft {
  const { toolName, toolCallId, isError, durationMs } = event.data;
  return {
    ...frame('tool', event, around),
    ...endingAt(event.time, durationMs),
    name: spanName('tool', toolName),
    attributes: compact({
      'gen_ai.operation.name': 'execute_tool',
      ...around.labels,
      'gen_ai.tool.name': toolName,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': toolCallId,
      ...nestedSpend(event, around),
      'pi.duration.source': durationMs === null ? 'unknown' : null,
      'error.type': isError ? 'unknown' : null,
    }),
  };
}

/**
 * What a tool spent for an answer may be what a subagent records itself: the ledger weighs both.
 */
function nestedSpend({ data }: LedgerEvent<'pi.tool.completed.v1'>, around: SpanSurroundings) {
  const { spend, turnEntryId } = data;
  if (spend === null) return {};
  if (turnEntryId === null)
    return spendAttributes({ spend, kind: 'tool', billing: around.billingOf(spend) });
  const { costNanoUsd } = spend;
  return { 'pi.claimed.cost.usd': costNanoUsd === null ? null : toUsd(costNanoUsd) };
}

export type SummaryEvent = LedgerEvent<
  'pi.compaction.completed.v1' | 'pi.branch.summarized.v1' | 'pi.usage.recorded.v1'
>;

export function summarySpan(event: SummaryEvent, around: SpanSurroundings): SpanDraft {
  const { spend } = event.data;
  const kind = spanKind(event);
  return {
    ...frame('side', event, around),
    ...endingAt(event.time, null),
    name: spanName('side', kind, spend?.model),
    attributes: compact({
      'gen_ai.operation.name': spend === null ? kind : 'chat',
      ...around.labels,
      ...(spend === null
        ? { 'pi.spend.kind': kind, 'pi.cost.source': 'unreported' }
        : spendAttributes({ spend, kind, billing: around.billingOf(spend) })),
      ...(event.type === 'pi.compaction.completed.v1'
        ? { 'pi.compaction.tokens_before': event.data.tokensBefore }
        : {}),
      ...(event.type === 'pi.usage.recorded.v1' ? { 'pi.spend.purpose': event.data.purpose } : {}),
      'gen_ai.conversation.compacted': around.isCompacted ? true : null,
      'pi.duration.source': 'unknown',
    }),
  };
}

function spanKind(event: SummaryEvent): string {
  switch (event.type) {
    case 'pi.compaction.completed.v1':
      return 'compaction';
    case 'pi.branch.summarized.v1':
      return 'branch_summary';
    default:
      return event.data.kind;
  }
}

export function failedCompactionSpan(
  event: LedgerEvent<'pi.compaction.failed.v1'>,
  around: SpanSurroundings,
): SpanDraft {
  const { trigger, aborted, durationMs } = event.data;
  return {
    ...frame('side', event, around),
    ...endingAt(event.time, durationMs),
    name: spanName('side', 'compaction'),
    attributes: compact({
      'gen_ai.operation.name': 'compaction',
      ...around.labels,
      'pi.spend.kind': 'compaction',
      'pi.cost.source': 'unreported',
      'pi.compaction.trigger': trigger,
      'pi.outcome': aborted ? 'aborted' : 'failed',
      'pi.duration.source': durationMs === null ? 'unknown' : null,
      'error.type': aborted ? null : 'unknown',
    }),
  };
}

function frame(key: SpanKey, { id }: LedgerEvent, { place, links }: SpanSurroundings) {
  const { traceId, spanId: parentSpanId, beganMs } = place;
  return { key, traceId, spanId: eventSpanId(id), parentSpanId, beganMs, events: [], links };
}

/** Durations are monotonic and times wall clock: the start is as good as the clock. */
function endingAt(time: string, durationMs: number | null) {
  const endMs = Date.parse(time);
  return { startMs: endMs - (durationMs ?? 0), endMs };
}

// What a record of spend says on its span. Pure.

interface SpanSpend {
  readonly spend: Spend;
  readonly kind: string;
  /** `metered`, `subscription` or `unknown`. */
  readonly billing: string;
}

/**
 * The conventions' input tokens include what the cache gave and took; the hosts' exclude it. An
 * attempt that reported nothing has no tokens and no cost, which is not the same as zero.
 */
function spendAttributes({ spend, kind, billing }: SpanSpend): SpanAttributes {
  return compact({
    'gen_ai.provider.name': spend.provider === null ? null : providerName(spend.provider),
    'gen_ai.request.model': spend.model,
    'gen_ai.response.model': spend.responseModel,
    'gen_ai.response.id': spend.responseId,
    ...(spend.reported ? tokens(spend) : {}),
    'pi.spend.kind': kind,
    'pi.cost.source': spend.reported ? spend.costSource : 'unreported',
    'pi.billing': billing,
  });
}

function tokens(spend: Spend): SpanAttributes {
  const all = withOrchestration(spend);
  const { outputTokens, cacheReadTokens, cacheWriteTokens, costNanoUsd } = all;
  return {
    'gen_ai.usage.input_tokens': sentTokens(all),
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
    'gen_ai.usage.cache_write.input_tokens': cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': spend.reasoningTokens ?? undefined,
    'pi.usage.cache_write_1h.input_tokens': spend.cacheWrite1hTokens ?? undefined,
    'pi.cost.usd': costNanoUsd === null ? undefined : toUsd(costNanoUsd),
  };
}

const nanoUsd = 1e9;

/** The nearest double: rounded to nano-dollars, it is the amount again. */
function toUsd(amount: number): number {
  return amount / nanoUsd;
}
