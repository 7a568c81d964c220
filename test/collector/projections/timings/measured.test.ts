/** What one event adds to the tables of its session. */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import type { Rollup } from '../../../../collector/projections/projection.ts';
import { isMeasured, measuredBy } from '../../../../collector/projections/timings/measured.ts';
import {
  answers,
  asked,
  statuses,
  tools,
} from '../../../../collector/projections/timings/rollups.ts';
import { event, spendOf } from '../support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const rollups: Readonly<Record<string, Rollup>> = {
  ...{ answers, statuses, tools, asked },
  liveTools: tools,
};

/** What is not zero, by table and name; of durations the sum. */
function measured(given: LedgerEvent) {
  return Object.fromEntries(
    measuredBy(given).map(({ table, name, amounts }) => [
      [table, ...name].join(' '),
      Object.fromEntries(
        amounts.flatMap((amount, index) => {
          const measure = rollups[table]?.measures[index] ?? '';
          return amount === 0 || /\d$/.test(measure) ? [] : [[measure, amount]];
        }),
      ),
    ]),
  );
}

function answered(
  data: Partial<EventData<'pi.turn.completed.v1'>>,
  spend: Parameters<typeof spendOf>[0] = {},
): LedgerEvent {
  const untimed = { durationMs: null, timeToFirstTokenMs: null, errorStatus: null };
  return event(
    'pi.turn.completed.v1',
    { at },
    {
      ...{ stopReason: 'stop', ...untimed, toolCalls: {} },
      spend: spendOf({ outputTokens: 30, costNanoUsd: 70, ...spend }),
      ...data,
    },
  );
}

const model = 'answers anthropic sonnet';

describe('an answer', () => {
  it('counts with its output and its price', () => {
    expect(measured(answered({}))).toEqual({
      [model]: { answers: 1, pricedOutputTokens: 30, nanoUsd: 70 },
    });
  });

  it.each([
    ['not reported', { reported: false }],
    ['without a price', { costSource: 'unpriced' as const, costNanoUsd: null }],
    ['at no price that counts', { costSource: 'unpriced' as const, costNanoUsd: 0 }],
    ['of unknown cost', { costNanoUsd: null }],
  ])('%s has no price', (_, spend) => {
    expect(measured(answered({}, spend))).toEqual({ [model]: { answers: 1 } });
  });

  it('is timed if it came', () => {
    const durations = { durationMs: 2_000, timeToFirstTokenMs: 300 };
    const timed = { timedOutputTokens: 30, timedUs: 2_000_000 };
    const priced = { answers: 1, pricedOutputTokens: 30, nanoUsd: 70 };
    expect(measured(answered(durations))[model]).toMatchObject({ ...priced, ...timed });
    for (const stopReason of ['error', 'aborted'] as const)
      expect(measured(answered({ ...durations, stopReason }))[model]).not.toMatchObject({
        timedUs: expect.anything(),
      });
    expect(measured(answered(durations, { reported: false }))[model]).not.toMatchObject({
      timedUs: expect.anything(),
    });
  });

  it('says what it asked of tools, under its model', () => {
    const spend = { inputTokens: 20, outputTokens: 30, cacheReadTokens: 40, cacheWriteTokens: 10 };
    expect(measured(answered({ toolCalls: { read: 3, bash: 1 } }, spend))).toMatchObject({
      [model]: { answers: 1 },
      'asked anthropic sonnet bash': { calls: 1, nanoUsd: 17, tokens: 25 },
      'asked anthropic sonnet read': { calls: 3, nanoUsd: 53, tokens: 75 },
    });
    const failed = { toolCalls: { bash: 1 }, stopReason: 'error', errorStatus: 529 };
    expect(Object.keys(measured(answered(failed, { reported: false })))).toEqual([
      model,
      'statuses anthropic sonnet 529',
      'asked anthropic sonnet bash',
    ]);
  });

  it('that failed counts under its status, if it is one', () => {
    const failed = (errorStatus: number | null) =>
      measured(answered({ stopReason: 'error', errorStatus }, { reported: false }));
    for (const [status, name] of [
      [100, '100'],
      [999, '999'],
      [99, ''],
      [1_000, ''],
      [null, ''],
    ] as const)
      expect(failed(status)).toEqual({
        [model]: { answers: 1, failedAnswers: 1 },
        [`statuses anthropic sonnet ${name}`]: { failedAnswers: 1 },
      });
  });
});

describe('a timed answer', () => {
  const timed = (data: Partial<EventData<'pi.turn.timed.v1'>>) =>
    measured(
      event(
        'pi.turn.timed.v1',
        { at },
        { provider: 'anthropic', model: 'sonnet', durationMs: 2_000, ...data },
      ),
    )[model];

  it('adds its time and its output', () => {
    expect(timed({ timeToFirstByteMs: 300, outputTokens: 30 })).toMatchObject({
      ...{ timedOutputTokens: 30, timedUs: 2_000_000 },
    });
  });

  it('has no duration where no answer came, or nobody counted', () => {
    for (const data of [
      { timeToFirstByteMs: null, outputTokens: 30 },
      { timeToFirstByteMs: 300, outputTokens: null },
    ])
      expect(timed(data)).not.toMatchObject({ timedUs: expect.anything() });
  });
});

describe('what is measured', () => {
  it('is a response from 400 on', () => {
    const response = (status: number | null) =>
      isMeasured(event('pi.response.received.v1', { at }, { status }));
    expect([null, 200, 399, 400, 500].map(response)).toEqual([false, false, false, true, true]);
  });

  it('is no event of another kind', () => {
    const prompt = event('pi.prompt.submitted.v1', { at });
    expect([isMeasured(prompt), measuredBy(prompt)]).toEqual([false, []]);
  });

  it('is all of a tool’s result', () => {
    const sizes = { textChars: 1, thinkingChars: 20, toolCallChars: 300, otherChars: 4_000 };
    const tool = event(
      'pi.tool.completed.v1',
      { at },
      {
        ...{ toolName: 'read', isError: true, durationMs: null, paths: ['a', 'b'] },
        sizes: { ...sizes, images: 2 },
      },
    );
    expect(measured(tool)).toEqual({
      'tools read': { calls: 1, failures: 1, resultChars: 4_321, resultImages: 2, namedFiles: 2 },
    });
  });
});
