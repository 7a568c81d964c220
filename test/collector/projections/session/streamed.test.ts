/** Answers in event streams, in a session's document; in any order: order.test.ts. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { UnfoldableError } from '../../../../collector/projections/projection.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { event, spendOf, turn } from '../support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const minute = (index: number) => new Date(Date.parse(at) + index * 60_000).toISOString();
const streamed = (index: number, model = 'large') =>
  event('pi.answer.streamed.v1', { at: minute(index) }, { printed: spendOf({ model }) });
const started = event('pi.session.started.v1', { at });

function answersIn(given: readonly LedgerEvent[]) {
  const folded = fold(sessions, given, { isReloaded: true });
  const counted = Object.entries(folded.sums(usage, 'streamedAnswers', 'model'));
  return Object.fromEntries(counted.filter(([, answers]) => answers > 0n));
}

describe('answers in event streams', () => {
  it('count by model and minute, and in no token or amount', () => {
    const given = [streamed(0), streamed(0), streamed(5), streamed(5, 'small')];
    expect(answersIn(given)).toEqual({ large: 3n, small: 1n });
    const sumsOf = (measure: string) => fold(sessions, given).sums(usage, measure, 'kind');
    expect(sumsOf('unreportedRecords')).toEqual({ streamed_answer: 4n });
    expect(sumsOf('inputTokens')).toEqual({ streamed_answer: 0n });
    expect(sumsOf('nanoUsd')).toEqual({ streamed_answer: 0n });
  });

  it.each([
    ['a session that is known to have begun', started],
    ['a session with an answer of its own', turn(minute(3))],
  ])('count no more in %s, whichever comes first', (_, known) => {
    for (const given of [
      [known, streamed(0), streamed(5)],
      [streamed(0), known, streamed(5)],
      [streamed(0), streamed(5), known],
    ])
      expect(answersIn(given)).toEqual({});
  });

  it('are set aside at too many times', () => {
    const tooMany = Array.from({ length: 5_001 }, (_, index) => streamed(index));
    const folded = fold(sessions, tooMany.slice(0, -1));
    expect(folded.sums(usage, 'streamedAnswers', 'model')).toEqual({ large: 5_000n });
    expect(() => fold(sessions, tooMany)).toThrow(UnfoldableError);
  });
});
