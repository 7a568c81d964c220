/** Answers and tool calls of sessions on one day, for what is asked of the view `timings`. */
import type { EventData, EventTypeName, LedgerEvent } from '@pi-ledger/contract';
import { exampleSpend } from '../../../contract/spend.ts';
import { exampleEvent } from './events.ts';
import { sessionEvents } from './work.ts';

export const day = '2026-11-22';
let sequence = 100;

export function event<Name extends EventTypeName>(
  type: Name,
  data: Partial<EventData<Name>>,
  subject = 's1',
): LedgerEvent {
  sequence += 1;
  const place = { subject, source: `/producers/${subject}`, sequence, number: 40_000 + sequence };
  return exampleEvent({ ...place, type, time: `${day}T09:10:00.000Z`, data });
}

/** Of the model of `exampleSpend` unless `spend` says another. */
export function answer(durationMs: number | null, spend: object, data: object = {}): LedgerEvent {
  const quiet = { entryId: `e${sequence}`, timeToFirstTokenMs: null, stopReason: 'stop', ...data };
  return event('pi.turn.completed.v1', {
    ...quiet,
    durationMs,
    spend: { ...exampleSpend, ...spend },
  });
}

/** A session whose provider `anthropic` is metered, `openai` a subscription. */
export function attributed(id: string, project: string): readonly LedgerEvent[] {
  const billing = { anthropic: 'metered', openai: 'subscription' } as const;
  return sessionEvents({ id, project, billing, startedAt: `${day}T09:00:00.000Z`, turns: [] });
}

export const openai = { provider: 'openai', model: 'gpt-6' };
export const failed = { reported: false, outputTokens: 0, costNanoUsd: null };
