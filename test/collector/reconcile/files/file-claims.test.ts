/** What a tool result in a session file claims that subagents spent. */
import { describe, expect, it } from 'vitest';
import { createEntryReader } from '../../../../collector/reconcile/files/file-entries.ts';
import { responseKeyOf as keyInEvents } from '../../../../core/record/subagent.ts';

type Json = Record<string, unknown>;

const at = '2026-03-01T09:00:01.000Z';
const usageOf = (input: number) => ({ input, output: 0, cost: { total: 0.001 } });
const said = (input: number, more: Json = {}) => ({
  role: 'assistant',
  usage: usageOf(input),
  timestamp: 1,
  responseId: `r${input}`,
  ...more,
});
const result = (details: unknown, message: Json = {}) => ({
  type: 'message',
  id: 't1',
  parentId: 'a1',
  timestamp: at,
  message: { role: 'toolResult', details, ...message },
});

function claimsIn(line: Json, above = true) {
  const reader = createEntryReader('s');
  if (above)
    reader.read({
      type: 'message',
      id: 'a1',
      parentId: null,
      timestamp: at,
      message: { role: 'assistant' },
    });
  return reader.read(line) ?? [];
}

/** `key input`, with responses as numbers. */
const told = (line: Json, above = true) =>
  claimsIn(line, above).map(
    ({ unit }) =>
      `${unit.claimKey?.replace(/^response:[0-9a-f]{16}$/, 'response')} ${unit.tokens.input}`,
  );
const results = (...each: readonly unknown[]) => result({ results: each });

describe('a claim of a tool result', () => {
  it('is no spend of its own: it names nobody, and the answer above', () => {
    const [claim, ...others] = claimsIn(results({ id: 'A', index: 0, usage: usageOf(5) }));
    expect(others).toEqual([]);
    expect(claim).toMatchObject({
      responseKey: null,
      unitId: claim?.unit.identity,
      unit: {
        sessionId: 's',
        kind: 'claim',
        claimKey: 'agent:A',
        turnEntryId: 'a1',
        entryId: 't1',
        timeMs: Date.parse(at),
        provider: null,
        model: null,
        tokens: { input: 5 },
        nanoUsd: 1_000_000,
        reported: true,
      },
    });
  });

  it.each<[what: string, line: Json, claims: readonly string[]]>([
    [
      'omp names its subagents',
      results({ id: 'A', index: 0, usage: usageOf(5) }, { id: 'B', index: 1, usage: usageOf(6) }),
      ['agent:A 5', 'agent:B 6'],
    ],
    ['a sum without a name is its turn’s', results({ usage: usageOf(5) }), ['turn:a1 5']],
    ['a name without a place is none', results({ id: 'A', usage: usageOf(5) }), ['turn:a1 5']],
    ['a place without a name is none', results({ index: 0, usage: usageOf(5) }), ['turn:a1 5']],
    [
      'a place that is no number is none',
      results({ id: 'A', index: '0', usage: usageOf(5) }),
      ['turn:a1 5'],
    ],
    [
      'messages say it one by one',
      results({ usage: usageOf(9), messages: [said(5), said(6)] }),
      ['response 5', 'response 6'],
    ],
    [
      '... those of models and tools',
      results({ messages: [said(5), said(6, { role: 'user' }), said(7, { role: 'toolResult' })] }),
      ['response 5', 'response 7'],
    ],
    [
      '... where none is of these the sum stands',
      results({ usage: usageOf(9), messages: [said(6, { role: 'user' })] }),
      ['turn:a1 9'],
    ],
    [
      '... a message that is none is none',
      results({ messages: ['hello', null, said(5)] }),
      ['response 5'],
    ],
    [
      '... whatever else names the same call',
      results({
        messages: [
          said(4, { role: 'user', toolCallId: 'c' }),
          said(5, { toolCallId: 'c' }),
          said(6, { role: 'toolResult', toolCallId: 'c' }),
        ],
      }),
      ['response 5', 'response 6'],
    ],
    [
      'an answer that is repeated is one',
      results({ messages: [said(5), said(5)] }),
      ['response 5'],
    ],
    [
      'equal sums are as many as there are',
      results({ usage: usageOf(5) }, { usage: usageOf(5) }),
      ['turn:a1 5', 'turn:a1 5'],
    ],
    [
      'a name that is repeated is one',
      results({ id: 'A', index: 0, usage: usageOf(5) }, { id: 'A', index: 0, usage: usageOf(5) }),
      ['agent:A 5'],
    ],
    ['results without usage claim nothing', results({ id: 'A', index: 0 }, 'text', null), []],
    ['results that are none claim nothing', result({ results: 'many' }), []],
    ['a tool that tells nothing of itself claims nothing', result(undefined), []],
    [
      'a tool with usage of its own claims nothing',
      result({ results: [{ usage: usageOf(5) }] }, { usage: usageOf(1) }),
      ['null 1'],
    ],
  ])('%s', (_what, line, claims) => {
    expect(told(line).map((each) => each.replace('undefined', 'null'))).toEqual(claims);
  });

  it('of a tool alone: nobody else claims', () => {
    expect(told(result({ results: [{ usage: usageOf(5) }] }, { role: 'user' }))).toEqual([]);
  });

  it('is under the result itself where no answer stands above', () => {
    expect(told(results({ usage: usageOf(5) }), false)).toEqual(['turn:t1 5']);
  });

  it('has a name of five hundred characters at most', () => {
    expect(
      claimsIn(results({ id: 'A'.repeat(600), index: 0, usage: usageOf(5) }))[0]?.unit.claimKey,
    ).toHaveLength(500);
  });

  it('has a place of its own for each of equal sums, the same whenever it is read', () => {
    const line = results({ usage: usageOf(5) }, { usage: usageOf(5) }, { usage: usageOf(5) });
    const unitIds = claimsIn(line).map(({ unitId }) => unitId);
    expect(new Set(unitIds).size).toBe(3);
    expect(claimsIn(line).map(({ unitId }) => unitId)).toEqual(unitIds);
    for (const unitId of unitIds) expect(unitId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is told apart from another of the same key by what it says', () => {
    const identities = [5, 6].map(
      (input) => claimsIn(results({ id: 'A', index: 0, usage: usageOf(input) }))[0]?.unit.identity,
    );
    expect(new Set(identities).size).toBe(2);
  });

  it('is an answer by response, time and usage, whoever gave it', () => {
    const keys = [
      {},
      { responseId: 'x' },
      { timestamp: 2 },
      { role: 'toolResult' },
      { model: 'm' },
    ].map((over) => claimsIn(results({ messages: [said(5, over)] }))[0]?.unit.claimKey);
    expect(new Set(keys.slice(0, 3)).size).toBe(3);
    expect([keys[3], keys[4]]).toEqual([keys[0], keys[0]]);
  });

  it.each([{}, { responseId: { id: 'x' } }, { responseId: null }, { timestamp: [1] }])(
    'has the key that events give to the answer, also an odd one: %j',
    (over) => {
      const message = said(5, over);
      const [claim] = claimsIn(results({ messages: [message] }));
      expect(claim?.unit.claimKey).toBe(keyInEvents(message as never));
    },
  );
});

describe('claims of subagents of subagents', () => {
  const nested = (depth: number): unknown => ({
    results: [
      depth === 0
        ? { usage: usageOf(5) }
        : {
            messages: [{ role: 'toolResult', toolCallId: `c${depth}`, details: nested(depth - 1) }],
          },
    ],
  });

  it('are found in the tool results that messages repeat', () => {
    expect(told(result(nested(1)))).toEqual(['turn:a1 5']);
  });

  it('are found where omp keeps them', () => {
    const task = { results: [{ id: 'A.B', index: 0, usage: usageOf(6) }] };
    const line = results({
      id: 'A',
      index: 0,
      usage: usageOf(5),
      extractedToolData: { task: [task] },
    });
    expect(told(line)).toEqual(['agent:A 5', 'agent:A.B 6']);
  });

  it('are found 32 levels deep, and not for ever', () => {
    expect(told(result(nested(32)))).toEqual(['turn:a1 5']);
    expect(told(result(nested(33)))).toEqual([]);
    const tasks = (depth: number): unknown => ({
      results: [
        {
          usage: usageOf(depth),
          extractedToolData: { task: depth === 0 ? [] : [tasks(depth - 1)] },
        },
      ],
    });
    expect(told(result(tasks(40)))).toHaveLength(33);
  });

  it('are one where a tool keeps the result twice', () => {
    const repeat = {
      role: 'toolResult',
      toolCallId: 'c1',
      details: { results: [{ usage: usageOf(5) }] },
    };
    expect(told(results({ messages: [repeat, repeat] }))).toEqual(['turn:a1 5']);
    expect(told(results({ messages: [repeat, { ...repeat, toolCallId: 'c2' }] }))).toEqual([
      'turn:a1 5',
      'turn:a1 5',
    ]);
    const unnamed = { ...repeat, toolCallId: undefined };
    expect(told(results({ messages: [unnamed, unnamed] }))).toEqual(['turn:a1 5', 'turn:a1 5']);
  });

  it('of a message with usage are its own affair', () => {
    expect(
      told(
        results({
          messages: [
            said(7, { role: 'toolResult', details: { results: [{ usage: usageOf(5) }] } }),
          ],
        }),
      ),
    ).toEqual(['response 7']);
  });
});
