/** The log records that events are worth, as plain data. Pure. */
import type { EventData, LedgerEvent, Spend } from '@pi-ledger/contract';
import { sentTokens } from '@pi-ledger/contract/spend-shape';
import type { LogAttributeName, LogKey } from '@pi-ledger/contract/telemetry/logs';
import { providerName } from '@pi-ledger/contract/telemetry/providers';
import { withOrchestration } from '@pi-ledger/core/record/orchestration';
import { noPrompt } from '../span-ids.ts';
import type { LogDrops } from './drops.ts';

type Value = string | number | boolean | null;

export interface LogDraft {
  readonly key: LogKey;
  readonly event: LedgerEvent;
  /** It is null for a record about no session. */
  readonly sessionId: string | null;
  readonly place: Place;
  /** Its time is when it was received: the event's own says something else. */
  readonly isOfArrival?: true;
  /** Those that are null are left out. */
  readonly attributes: { readonly [Name in LogAttributeName]?: Value };
}

/** Which span it is about: one of its own, in a run or in none, or that of the run. */
type Place =
  | { readonly is: 'span'; readonly prompt: string | null }
  | { readonly is: 'run'; readonly prompt: string }
  | { readonly is: 'unknown' };

export interface DraftContext {
  readonly drops: LogDrops;
  /** Timings of the same batch are keyed by compaction entry. */
  readonly timed: ReadonlyMap<string, EventData<'pi.compaction.timed.v1'>>;
}

/** Returns null for an event that becomes no log record. */
export function draftRecord(event: LedgerEvent, context: DraftContext): LogDraft | null {
  if (event.type === 'pi.compaction.completed.v1') return compactionCompleted(event, context);
  if (event.type === 'pi.compaction.failed.v1') return compactionFailed(event);
  if (event.type === 'pi.turn.completed.v1') return attemptEnded(event);
  if (event.type === 'pi.retry.ended.v1') return retryEnded(event);
  if (event.type === 'pi.budget.crossed.v1') return budgetCrossed(event);
  return event.type === 'pi.producer.reported.v1' ? producerReported(event, context.drops) : null;
}

function compactionCompleted(
  event: LedgerEvent<'pi.compaction.completed.v1'>,
  { timed }: DraftContext,
): LogDraft {
  const { entryId, promptEntryId, tokensBefore, tokensAfterEstimated, spend } = event.data;
  const live = timed.get(`${event.subject} ${entryId}`);
  return {
    ...{ key: 'compactionCompleted', event, sessionId: event.subject },
    place: { is: 'span', prompt: promptEntryId ?? noPrompt },
    attributes: {
      ...(spend === null ? {} : spendAttributes(spend)),
      'pi.outcome': 'completed',
      'pi.compaction.trigger': live?.trigger ?? null,
      'pi.compaction.duration': seconds(live?.durationMs ?? null),
      'pi.compaction.from_extension': event.data.fromExtension || null,
      'pi.compaction.tokens_before': tokensBefore,
      'pi.compaction.tokens_after_estimated': tokensAfterEstimated,
    },
  };
}

function compactionFailed(event: LedgerEvent<'pi.compaction.failed.v1'>): LogDraft {
  const { trigger, aborted, durationMs, fromExtension } = event.data;
  return {
    ...{ key: 'compactionFailed', event, sessionId: event.subject },
    place: { is: 'span', prompt: null },
    attributes: {
      'pi.outcome': aborted ? 'aborted' : 'failed',
      'pi.compaction.trigger': trigger,
      'pi.compaction.duration': seconds(durationMs),
      'pi.compaction.from_extension': fromExtension || null,
    },
  };
}

function attemptEnded(event: LedgerEvent<'pi.turn.completed.v1'>): LogDraft | null {
  const { stopReason, errorStatus, promptEntryId, spend } = event.data;
  if (stopReason !== 'error' && stopReason !== 'aborted') return null;
  const isAborted = stopReason === 'aborted';
  return {
    ...{ key: isAborted ? 'attemptAborted' : 'attemptFailed', event, sessionId: event.subject },
    place: { is: 'span', prompt: promptEntryId ?? noPrompt },
    attributes: {
      ...spendAttributes(spend),
      'pi.outcome': isAborted ? 'aborted' : 'failed',
      'error.type': isAborted ? null : String(errorStatus ?? 'unknown'),
    },
  };
}

function retryEnded(event: LedgerEvent<'pi.retry.ended.v1'>): LogDraft | null {
  const { succeeded, promptEntryId, provider, model, attempts } = event.data;
  if (succeeded) return null;
  return {
    ...{ key: 'retryGivenUp', event, sessionId: event.subject },
    place: promptEntryId === null ? { is: 'unknown' } : { is: 'run', prompt: promptEntryId },
    attributes: {
      'gen_ai.provider.name': provider === null ? null : providerName(provider),
      'gen_ai.request.model': model,
      'pi.retry.attempts': attempts,
    },
  };
}

/** Its subject names a session only because the envelope requires one. */
function producerReported(
  event: LedgerEvent<'pi.producer.reported.v1'>,
  drops: LogDrops,
): LogDraft | null {
  const dropped = drops.take(event);
  if (dropped === null) return null;
  return {
    ...{ key: 'producerDropped', event, sessionId: null },
    place: { is: 'unknown' },
    attributes: {
      'pi.producer': event.source,
      'pi.producer.version': event.data.producerVersion,
      'pi.dropped.spool_full': dropped.spoolFull,
      'pi.dropped.spool_unwritable': dropped.spoolUnwritable,
      'pi.dropped.event_too_large': dropped.eventTooLarge,
      'pi.dropped.record_failed': dropped.recordFailed,
    },
  };
}

/** Its own time is the end of the period. */
function budgetCrossed(event: LedgerEvent<'pi.budget.crossed.v1'>): LogDraft {
  const { budget, project, model, from, to, used, limit, unit, isAtLeast, isFirst } = event.data;
  const { forecast } = event.data;
  return {
    ...{ key: 'budgetCrossed', event, sessionId: null, isOfArrival: true },
    place: { is: 'unknown' },
    attributes: {
      'pi.project': project,
      'gen_ai.request.model': model,
      'pi.budget.name': budget,
      'pi.budget.state': to,
      'pi.budget.state.previous': from,
      'pi.budget.used': Number(used),
      'pi.budget.limit': Number(limit),
      'pi.budget.unit': unit,
      'pi.budget.forecast': forecast === undefined ? null : Number(forecast.middle),
      'pi.budget.used.is_at_least': isAtLeast || null,
      'pi.budget.is_first': isFirst || null,
    },
  };
}

/** An attempt that reported nothing has no tokens, which is not the same as zero. */
function spendAttributes(spend: Spend): LogDraft['attributes'] {
  const { provider, model, reported } = spend;
  const counts = withOrchestration(spend);
  return {
    'gen_ai.provider.name': provider === null ? null : providerName(provider),
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': reported ? sentTokens(counts) : null,
    'gen_ai.usage.output_tokens': reported ? counts.outputTokens : null,
  };
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000;
}
