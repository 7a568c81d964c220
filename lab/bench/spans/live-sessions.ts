/** Sessions that are all live at once: each is heard of once in a round. */
import type { EventData, EventTypeName, LedgerEvent } from '@pi-ledger/contract';
import { exampleEvent } from '../../../test/collector/support/events.ts';

const startMs = Date.parse('2026-11-22T09:00:00.000Z');
const runs = 5;
const answers = 4;

/** In each session some runs, in each run some answers, each with a tool. */
export function* liveSessions(count: number): Generator<LedgerEvent> {
  let number = 0;
  function* round<Type extends EventTypeName>(
    type: Type,
    data: Partial<EventData<Type>> = {},
  ): Generator<LedgerEvent> {
    for (let session = 0; session < count; session++) {
      number += 1;
      const subject = `01a2073c-2545-74c0-af2c-${String(session).padStart(12, '0')}`;
      const time = new Date(startMs + number).toISOString();
      yield exampleEvent({ number, type, subject, time, source: '/producers/one', data });
    }
  }
  yield* round('pi.session.attributed.v1');
  for (let run = 0; run < runs; run++) {
    const promptEntryId = `prompt${run}`;
    yield* round('pi.prompt.submitted.v1', { entryId: promptEntryId });
    for (let answer = 0; answer < answers; answer++) {
      const turnEntryId = `answ${run}${answer}`;
      yield* round('pi.turn.completed.v1', { promptEntryId, entryId: turnEntryId });
      yield* round('pi.tool.completed.v1', { promptEntryId, turnEntryId });
    }
    yield* round('pi.run.completed.v1', { promptEntryId });
  }
}
