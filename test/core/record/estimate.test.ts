import { describe, expect, it } from 'vitest';
import type { EventData } from '../../../contract/index.ts';
import { readEntry } from '../../../core/record/entry.ts';
import { advance, type PathState, rootState } from '../../../core/record/path-state.ts';
import { recordEntry } from '../../../core/record/record-entry.ts';
import { problemsOf } from '../../extension/support/schemas.ts';

type Estimate = EventData<'pi.attempt.estimated.v1'>;

const zero = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { total: 0 },
};
/** 2, 0.5 and 2.5 nano-dollars per input token, 8 per output token. */
const usage = {
  input: 1_000,
  output: 50,
  cacheRead: 4_000,
  cacheWrite: 200,
  cost: {
    input: 0.000_002,
    output: 0.000_000_4,
    cacheRead: 0.000_002,
    cacheWrite: 0.000_000_5,
    total: 0.000_004_9,
  },
};
const answered = { role: 'assistant', provider: 'p', model: 'm', usage, content: [] };
const failed = {
  role: 'assistant',
  provider: 'p',
  model: 'm',
  usage: zero,
  stopReason: 'error',
  content: [],
};
const read = {
  role: 'toolResult',
  toolCallId: 'c',
  content: [{ type: 'text', text: 'x'.repeat(4_001) }],
};

/** The estimate for the last message; the others are above it. */
function estimateOf(...messages: Record<string, unknown>[]): Estimate | null {
  let state: PathState = rootState;
  let made: ReturnType<typeof recordEntry> = [];
  messages.forEach((message, index) => {
    const entry = readEntry({
      id: `e${index}`,
      parentId: null,
      type: 'message',
      timestamp: '2026-01-01T00:00:00.000Z',
      message,
    });
    if (entry === null) throw new Error('not an entry');
    made = recordEntry({ id: 's', cwd: null }, entry, state);
    state = advance(state, entry);
  });
  expect(made.flatMap(problemsOf)).toEqual([]);
  const draft = made.find(({ type }) => type === 'pi.attempt.estimated.v1');
  return draft === undefined ? null : (draft.data as Estimate);
}

describe('an attempt that reported nothing', () => {
  it('is estimated by what the answer before it left in the context and what came since', () => {
    expect(estimateOf(answered, failed)).toEqual({
      entryId: 'e1',
      provider: 'p',
      model: 'm',
      tokensMax: 5_250,
      costNanoUsdMax: 5_250 * 2.5,
      source: 'previous',
    });
    expect(
      estimateOf(answered, read, { role: 'user', content: 'go on!!!' }, failed)?.tokensMax,
    ).toBe(5_250 + Math.ceil(4_009 / 4));
  });

  it('counts the received text at the price of output', () => {
    const partial = { ...failed, content: [{ type: 'text', text: 'x'.repeat(400) }] };
    expect(estimateOf(answered, partial)).toMatchObject({
      tokensMax: 5_250 + 100,
      costNanoUsdMax: 5_250 * 2.5 + 100 * 8,
    });
  });

  it('is not added to what the next attempt sends: hosts leave it out', () => {
    const partial = { ...failed, content: [{ type: 'text', text: 'x'.repeat(400) }] };
    expect(estimateOf(answered, partial, failed)?.tokensMax).toBe(5_250);
  });

  it('takes the host’s own figure where there is one, at the rates of the answer before', () => {
    const told = { ...failed, contextSnapshot: { promptTokens: 900 } };
    expect(estimateOf(answered, told)).toMatchObject({
      tokensMax: 900,
      costNanoUsdMax: 2_250,
      source: 'host',
    });
    expect(estimateOf(told)).toMatchObject({
      tokensMax: 900,
      costNanoUsdMax: null,
      source: 'host',
    });
    expect(estimateOf(answered, { ...failed, contextSnapshot: { promptTokens: 0 } })).toMatchObject(
      { source: 'previous' },
    );
  });

  it('has no price by another model, or by an answer without one', () => {
    expect(estimateOf(answered, { ...failed, model: 'other' })).toMatchObject({
      tokensMax: 5_250,
      costNanoUsdMax: null,
    });
    expect(estimateOf(answered, { ...failed, provider: 'other' })).toMatchObject({
      provider: 'other',
      tokensMax: 5_250,
      costNanoUsdMax: null,
    });
    expect(estimateOf({ ...answered, usage: { ...usage, cost: 0.5 } }, failed)).toMatchObject({
      costNanoUsdMax: null,
    });
    expect(
      estimateOf({ ...answered, usage: { ...usage, cost: { total: 0 } } }, failed),
    ).toMatchObject({ costNanoUsdMax: null });
    expect(
      estimateOf({ ...answered, usage: { ...usage, cost: { total: 5 } } }, failed),
    ).toMatchObject({ costNanoUsdMax: null });
  });

  it('takes input that was costlier than output for the costliest of all', () => {
    const cheap = {
      input: 1_000,
      output: 50,
      cost: { input: 0.000_002, output: 0.000_000_05, total: 0.000_002_05 },
    };
    const partial = { ...failed, content: 'x'.repeat(400) };
    expect(estimateOf({ ...answered, usage: cheap }, partial)).toMatchObject({
      costNanoUsdMax: (1_050 + 100) * 2,
    });
  });

  it('takes no rate from what the answer before had nothing of, or has no cost for', () => {
    const cost = { input: 0.000_002, output: 0, cacheRead: 0, cacheWrite: 0.5, total: 0.500_002 };
    const input = { input: 1_000, output: 0, cacheRead: 0, cacheWrite: 0, cost };
    expect(estimateOf({ ...answered, usage: input }, failed)).toMatchObject({
      tokensMax: 1_000,
      costNanoUsdMax: 2_000,
    });
    const odd = {
      ...input,
      cacheRead: 10,
      output: 10,
      cost: { ...cost, cacheRead: '0.5', output: -0.5 },
    };
    expect(estimateOf({ ...answered, usage: odd }, failed)).toMatchObject({
      tokensMax: 1_020,
      costNanoUsdMax: 2_040,
    });
  });

  it('is rounded up, and stays within what an event can say', () => {
    expect(
      estimateOf(
        { ...answered, usage: { input: 3, cost: { input: 0.000_000_001, total: 0.000_000_001 } } },
        failed,
      ),
    ).toMatchObject({
      tokensMax: 3,
      costNanoUsdMax: 1,
    });
    const huge = { input: 1e300, output: 1, cost: { input: 1e5, output: 1e5, total: 2e5 } };
    expect(estimateOf({ ...answered, usage: huge }, failed)).toMatchObject({
      tokensMax: Number.MAX_SAFE_INTEGER,
    });
  });
});

describe('no estimate', () => {
  it('is made for an attempt that reported, or of which nothing is known', () => {
    expect(estimateOf(answered, answered)).toBeNull();
    expect(estimateOf(failed)).toBeNull();
    expect(estimateOf(failed, read, failed)).toBeNull();
  });
});
