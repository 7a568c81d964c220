/** What parents claim of subagents, in every form that a host or a tool writes. */
import { describe, expect, it } from 'vitest';
import { rootState } from '../../../core/record/path-state.ts';
import { responseKeyOf } from '../../../core/record/subagent.ts';
import {
  answer,
  claims,
  keysClaimed,
  parent,
  recorded,
  resultOf,
  sum,
  task,
  usage,
} from './support/subagents.ts';

describe('a tool result', () => {
  it('claims omp’s subagents by their names, with the model that answered', () => {
    const results = [
      task('SubA', { resolvedModelIdentity: 'p/some/model', resolvedModel: 'p/some/model:high' }),
      task('SubB', { resolvedModel: 'p/m:high', resolvedThinkingLevel: 'high' }),
      task('SubC', { usage: undefined }),
    ];
    expect(claims(recorded(resultOf({ results })))).toMatchObject([
      {
        entryId: 'e1',
        turnEntryId: 'turn',
        toolCallId: 'c1',
        agentName: 'task',
        key: 'agent:SubA',
        claimed: {
          provider: 'p',
          model: 'some/model',
          inputTokens: 7,
          outputTokens: 2,
          costNanoUsd: 1_000_000_000,
          rawUsage: usage(7),
        },
      },
      { key: 'agent:SubB', claimed: { provider: 'p', model: 'm' } },
    ]);
  });

  it('claims the subagents of omp’s subagents too', () => {
    const inner = task('SubA.SubB', {
      extractedToolData: { yield: [{}], task: [{ results: [task('SubA.SubB.C')] }] },
    });
    const results = [
      task('SubA', { extractedToolData: { task: [{ results: [inner, inner] }, null] } }),
    ];
    expect(keysClaimed(recorded(resultOf({ results })))).toEqual([
      'agent:SubA',
      'agent:SubA.SubB',
      'agent:SubA.SubB.C',
    ]);
  });

  it('claims each answer that a tool of pi repeats, and not their sum', () => {
    const messages = [
      { role: 'user', content: 'x' },
      answer(1),
      resultOf({ ok: true }),
      answer(2),
      answer(2),
    ];
    const made = recorded(resultOf({ results: [{ agent: 'worker', usage: sum(3), messages }] }));
    expect(claims(made)).toMatchObject([
      {
        agentName: 'worker',
        key: responseKeyOf(answer(1)),
        claimed: { inputTokens: 1, provider: 'p', model: 'm', responseId: 'r1' },
      },
      {
        agentName: 'worker',
        key: responseKeyOf(answer(2)),
        claimed: { inputTokens: 2, rawUsage: usage(2) },
      },
    ]);
  });

  it('claims what the answers’ own tool results repeat, and what their tools spent', () => {
    const grandchild = { agent: 'scout', usage: sum(5), messages: [answer(5)] };
    const inner = { ...resultOf({ results: [grandchild] }), toolCallId: 'inner' };
    const withModel = { ...resultOf({}), toolCallId: 'other', timestamp: 9, usage: usage(8) };
    const messages = [answer(1), inner, inner, withModel, answer(2)];
    const made = recorded(resultOf({ results: [{ agent: 'worker', messages }] }));
    expect(claims(made).map(({ key, agentName }) => [agentName, key])).toEqual([
      ['worker', responseKeyOf(answer(1))],
      ['scout', responseKeyOf(answer(5))],
      ['worker', responseKeyOf(withModel)],
      ['worker', responseKeyOf(answer(2))],
    ]);
  });

  it('claims a sum by its turn where no answers are kept, equal sums included', () => {
    const results = [
      { agent: 'a', usage: sum(3) },
      { agent: 'b', usage: sum(3), messages: [] },
      { agent: 'c' },
    ];
    expect(claims(recorded(resultOf({ results })))).toMatchObject([
      {
        key: 'turn:turn',
        agentName: 'a',
        claimed: {
          inputTokens: 3,
          costNanoUsd: 500_000_000,
          costSource: 'catalog',
          rawUsage: sum(3),
        },
      },
      { key: 'turn:turn', agentName: 'b', claimed: { inputTokens: 3 } },
    ]);
    expect(keysClaimed(recorded(resultOf({ results }), parent, rootState))).toEqual([
      'turn:e1',
      'turn:e1',
    ]);
  });

  it('claims a sum by turn, with the model it names, if the result is no task of omp', () => {
    const results = [
      { agent: 'a', id: 'SubA', usage: sum(3), model: 'claude' },
      { agent: 'b', index: 0, usage: sum(4), model: 'claude', resolvedModel: 'p/m' },
      { agent: 'c', usage: sum(5), resolvedModelIdentity: '/m' },
    ];
    expect(claims(recorded(resultOf({ results })))).toMatchObject([
      {
        key: 'turn:turn',
        claimed: {
          provider: null,
          api: null,
          model: 'claude',
          responseModel: null,
          responseId: null,
        },
      },
      { key: 'turn:turn', claimed: { provider: 'p', model: 'm' } },
      { key: 'turn:turn', claimed: { provider: null, model: null } },
    ]);
  });

  it.each([
    [{ responseModel: 'answered' }, 'answered'],
    [{ upstreamModel: 'upstream' }, 'upstream'],
    [{ responseModel: 'answered', upstreamModel: 'upstream' }, 'answered'],
    [{}, null],
  ])('names the model that an answer with %j came from', (named, responseModel) => {
    const made = recorded(
      resultOf({ results: [{ messages: [{ ...answer(1), ...named, api: 'x' }] }] }),
    );
    expect(claims(made)).toMatchObject([
      { agentName: null, claimed: { provider: 'p', api: 'x', model: 'm', responseModel } },
    ]);
  });

  it('claims the sums of a repeated inner result once, and those of two results twice', () => {
    const inner = (more: object) =>
      resultOf({ results: [{ agent: 'scout', usage: sum(5) }] }, more);
    const once = [{ messages: [inner({}), inner({})] }];
    const twice = [
      {
        messages: [
          inner({}),
          inner({ toolCallId: 'c2' }),
          inner({ toolCallId: null }),
          inner({ toolCallId: null }),
        ],
      },
    ];
    expect(keysClaimed(recorded(resultOf({ results: once })))).toEqual(['turn:turn']);
    expect(keysClaimed(recorded(resultOf({ results: twice })))).toHaveLength(4);
  });

  it('claims nothing of other messages: no child accounts for them to its parent', () => {
    const messages = ['user', 'custom', 'oracle'].map((role) => ({
      ...answer(1),
      role,
      toolCallId: role,
    }));
    expect(keysClaimed(recorded(resultOf({ results: [{ agent: 'a', messages }] })))).toEqual([]);
  });

  it('claims nothing when the host books the tool’s spend on it', () => {
    const made = recorded(
      resultOf({ results: [{ agent: 'a', usage: sum(3) }] }, { usage: usage(3) }),
    );
    expect(made.map(({ type }) => type)).toEqual(['pi.tool.completed.v1']);
    expect(made[0]?.data).toMatchObject({ spend: { inputTokens: 3 } });
  });

  it('claims none of omp’s subagents in a session without a file, which they cannot name', () => {
    const results = [task('SubA'), { agent: 'worker', messages: [answer(1)] }];
    expect(keysClaimed(recorded(resultOf({ results }), { ...parent, isMemoryOnly: true }))).toEqual(
      [responseKeyOf(answer(1))],
    );
  });

  it.each([
    null,
    'x',
    [],
    {},
    { results: null },
    { results: [] },
    { results: [null, 7, [], {}, { usage: 3 }, { messages: [null, 3] }] },
  ])('claims nothing for details like %j', (details) => {
    expect(recorded(resultOf(details)).map(({ type }) => type)).toEqual(['pi.tool.completed.v1']);
  });

  it.each([
    ['messages', (details: object) => ({ messages: [answer(1), resultOf(details)] })],
    [
      'tasks',
      (details: object) => ({ messages: [answer(1)], extractedToolData: { task: [details] } }),
    ],
  ])('survives details that hold themselves in their %s', (_where, holding) => {
    const details: { results: object[] } = { results: [] };
    details.results.push(holding(details));
    expect(keysClaimed(recorded(resultOf(details)))).toEqual([responseKeyOf(answer(1))]);
  });

  it('claims 32 generations below its own', () => {
    const nested = (generation: number): object => ({
      results: [
        task(
          `G${generation}`,
          generation < 40 ? { extractedToolData: { task: [nested(generation + 1)] } } : {},
        ),
      ],
    });
    expect(keysClaimed(recorded(resultOf(nested(0))))).toEqual(
      Array.from({ length: 33 }, (_, generation) => `agent:G${generation}`),
    );
  });
});
