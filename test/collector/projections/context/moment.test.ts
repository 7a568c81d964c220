import { describe, expect, it } from 'vitest';
import { toMoment } from '../../../../collector/projections/context/moment.ts';
import { event, turn } from '../support/given.ts';

const at = '2026-11-22T09:00:00.000Z';

describe('the moment of', () => {
  it('an answer: how long it took, and its first byte', () => {
    const data = { entryId: 'a1', durationMs: 900, timeToFirstByteMs: 80, status: 200 };
    const moment = { kind: 'turn', time: at, id: 'a1', durationMs: 900, firstMs: 80, status: 200 };
    expect(toMoment(event('pi.turn.timed.v1', { at }, data))).toEqual(moment);
  });

  it('a tool call: how long it took', () => {
    const given = event('pi.tool.timed.v1', { at }, { toolCallId: 'c1', durationMs: 15 });
    expect(toMoment(given)).toEqual({ kind: 'tool', time: at, id: 'c1', durationMs: 15 });
  });

  it('a retry: which attempt, and how long until then', () => {
    const data = { leafEntryId: 'a1', attempt: 2, delayMs: 4_000 };
    const moment = { kind: 'retry', time: at, id: 'a1', attempt: 2, durationMs: 4_000 };
    expect(toMoment(event('pi.retry.scheduled.v1', { at }, data))).toEqual(moment);
  });

  it('a wait for a person: for what, and the answer', () => {
    const data = { turnEntryId: 'a1', kind: 'approval', approved: true, durationMs: 7 } as const;
    expect(toMoment(event('pi.human.waited.v1', { at }, data as never))).toEqual({
      kind: 'wait',
      time: at,
      id: 'a1',
      what: 'approval',
      approved: true,
      durationMs: 7,
    });
  });

  it('a run: how it ended, and how many files it changed', () => {
    const data = { promptEntryId: 'p1', outcome: 'completed', durationMs: 60_000 } as const;
    const given = event('pi.run.completed.v1', { at }, {
      ...data,
      filesModified: ['a.ts', 'b.ts'],
    } as never);
    expect(toMoment(given)).toEqual({
      kind: 'run',
      time: at,
      id: 'p1',
      outcome: 'completed',
      filesModified: 2,
      durationMs: 60_000,
    });
  });

  it('anything else: none', () => {
    expect(toMoment(turn(at))).toBeNull();
  });
});
