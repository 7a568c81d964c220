/** Any events that say how long something took, or how it ended. */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { event, spendOf } from '../support/given.ts';
import { moved } from '../support/given-moves.ts';

const time = fc
  .integer({ min: 0, max: 160 })
  .map((minutes) =>
    new Date(Date.parse('2026-11-21T22:10:00.000Z') + minutes * 60_000).toISOString(),
  );
const session = fc.constantFrom('s1', 's2');
const durationMs = fc.constantFrom(null, 0, 15, 1_000_000);
const model = fc.record({
  provider: fc.constantFrom('anthropic', null),
  model: fc.constantFrom('large', 'small', 'tiny'),
});
export const measuredEvent: fc.Arbitrary<LedgerEvent> = fc
  .tuple(time, session, model, durationMs, fc.constantFrom('read', 'bash', 'edit', 'sql'))
  .chain(([at, name, named, ms, toolName]) => {
    const where = { at, session: name };
    const live = durationOf(ms);
    return fc.constantFrom(
      event('pi.turn.completed.v1', where, {
        spend: spendOf({ ...named, outputTokens: 5 }),
        stopReason: ms === null ? 'error' : 'stop',
        errorStatus: ms === null ? 529 : null,
        durationMs: ms,
      }),
      event('pi.turn.timed.v1', where, { ...named, durationMs: ms, timeToFirstByteMs: 9 }),
      event('pi.response.received.v1', where, { ...named, status: 429 }),
      event('pi.retry.scheduled.v1', where, named),
      event('pi.tool.completed.v1', where, { toolName, durationMs: ms }),
      event('pi.tool.timed.v1', where, { toolName, durationMs: live }),
      event('pi.run.completed.v1', where, { durationMs: live, outcome: 'failed' }),
    );
  });

function durationOf(ms: number | null): number {
  return ms ?? 40;
}

export function maybeMoved(each: LedgerEvent): fc.Arbitrary<LedgerEvent> {
  return fc.constantFrom(each, each, moved(each, 'in', 's1'), moved(each, 'out', 's2'));
}

export const measuredOrMoved = measuredEvent.chain(maybeMoved);
