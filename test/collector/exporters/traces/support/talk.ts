/** A talk with an agent, event by event: as a live host records it, or as an importer does. */
import type { EventData, EventTypeName, LedgerEvent } from '@pi-ledger/contract';
import { exampleEvent } from '../../../support/events.ts';

export const startMs = Date.parse('2026-11-22T09:00:00.000Z');

export interface Talk {
  readonly events: LedgerEvent[];
  /** `at`: seconds since the start. */
  add<Type extends EventTypeName>(
    type: Type,
    at: number,
    data?: Partial<EventData<Type>>,
  ): LedgerEvent;
}

let events = 0;

export function talk(subject = 'session-1', source = '/producers/one'): Talk {
  const list: LedgerEvent[] = [];
  return {
    events: list,
    add(type, at, data = {}) {
      events += 1;
      const time = new Date(startMs + at * 1_000).toISOString();
      const event = exampleEvent({ number: events, type, subject, time, source, data });
      list.push(event);
      return event;
    },
  };
}

/** A prompt and one answer to it that came `at` and took a second, on a pi without durations. */
export function ask(
  { add }: Talk,
  prompt: string,
  at: number,
  data: Partial<EventData<'pi.turn.completed.v1'>> = {},
): LedgerEvent {
  add('pi.prompt.submitted.v1', at - 1, { entryId: prompt });
  return add('pi.turn.completed.v1', at, {
    entryId: `answer-${prompt}`,
    promptEntryId: prompt,
    requestedAtMs: startMs + (at - 1) * 1_000,
    durationMs: null,
    timeToFirstTokenMs: null,
    ...data,
  });
}
