/**
 * What context samples report besides their figures, driven by hand. The recordings show the real
 * hooks.
 */
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../extension/host/limits.ts';
import { readTools } from '../../../extension/host/prompt.ts';
import { drive } from '../support/driven-context.ts';

describe('a context sample', () => {
  const tool = (name: string) => ({
    name,
    description: 'does it',
    parameters: { type: 'object' },
    sourceInfo: { path: '/home/ada/x' },
  });
  function toolbox() {
    const active = ['read', 'bash'];
    const pi = {
      getActiveTools: () => active,
      getAllTools: () => [tool('read'), tool('bash'), tool('write')],
    };
    return { active, tools: readTools(pi) };
  }
  const prompt = { getSystemPrompt: () => 'x'.repeat(300) };

  it('tells limits, prompt and tools with the first and then when they change', () => {
    const { active, tools } = toolbox();
    const { turn, said } = drive({ runEnd: 'unreported' }, tools);
    turn(prompt);
    turn(prompt);
    active.push('write');
    turn(prompt);
    turn({ getSystemPrompt: () => ['x'.repeat(100), 'y'.repeat(7)] });
    turn({ ...prompt, model: { provider: 'anthropic', id: 'small', contextWindow: 50_000 } });
    const [first, second, third, fourth, fifth] = said('pi.context.sampled.v1');
    expect(first).toMatchObject({
      thresholdTokens: 183_616,
      limitsSource: 'default',
      systemPromptChars: 300,
      tools: 2,
    });
    expect(first?.toolDefinitionChars).toBe(
      JSON.stringify([tool('read'), tool('bash')].map(({ sourceInfo: _, ...rest }) => rest)).length,
    );
    expect(Object.keys(second ?? {})).toEqual([
      'entryId',
      'provider',
      'model',
      'tokens',
      'windowTokens',
      'percent',
      'source',
    ]);
    expect(third).toMatchObject({ tools: 3, systemPromptChars: 300 });
    expect(third).not.toHaveProperty('thresholdTokens');
    expect(third?.toolSetHash).not.toBe(first?.toolSetHash);
    expect(fourth).toMatchObject({ systemPromptChars: 107, toolSetHash: third?.toolSetHash });
    expect(fifth).toMatchObject({ thresholdTokens: 33_616, systemPromptChars: 300 });
  });

  it('asks a host for its prompt once that has to put it together', () => {
    let asked = 0;
    const getSystemPrompt = () => {
      asked += 1;
      return 'x'.repeat(300);
    };
    const { turn, said } = drive();
    turn({ getSystemPrompt });
    turn({ getSystemPrompt });
    expect(asked).toBe(1);
    expect(said('pi.context.sampled.v1').map(({ systemPromptChars }) => systemPromptChars)).toEqual(
      [300, undefined],
    );
  });

  it('repeats what the spool refused', () => {
    const { machine, turn, said } = drive();
    machine.isFull = true;
    turn();
    machine.isFull = false;
    turn();
    turn();
    expect(said('pi.context.sampled.v1').map(({ thresholdTokens }) => thresholdTokens)).toEqual([
      183_616,
      undefined,
    ]);
  });

  it('reads settings at session start and for another model, but trusts the host first', () => {
    let reads = 0;
    const settings = {
      isFree: false,
      read: () => {
        reads += 1;
        return { ...defaultSettings, reserveTokens: 2_000, source: 'files' as const };
      },
    };
    const { fire, turn, said, compact } = drive({ settings });
    turn();
    turn();
    expect(reads).toBe(1);
    fire('session_before_compact', {
      reason: 'threshold',
      preparation: { settings: { enabled: true, reserveTokens: 3_000, keepRecentTokens: 5 } },
    });
    compact({ reason: 'threshold', willRetry: false });
    turn();
    turn({ model: { provider: 'anthropic', id: 'small', contextWindow: 50_000 } });
    expect(reads).toBe(2);
    expect(
      said('pi.context.sampled.v1').map(({ reserveTokens, limitsSource }) => [
        reserveTokens,
        limitsSource,
      ]),
    ).toEqual([
      [2_000, 'files'],
      [undefined, undefined],
      [3_000, 'host'],
      [undefined, undefined],
      [2_000, 'files'],
    ]);
  });

  it('of a host that hands its settings out follows them', () => {
    const limits = { reserveTokens: 40_000 };
    const settings = {
      isFree: true,
      read: () => ({ ...defaultSettings, ...limits, source: 'host' as const }),
    };
    const { turn, said } = drive({ hostName: 'omp', runEnd: 'agent_end', settings });
    turn();
    limits.reserveTokens = 50_000;
    turn();
    expect(said('pi.context.sampled.v1').map(({ thresholdTokens }) => thresholdTokens)).toEqual([
      160_000, 150_000,
    ]);
  });

  it('leaves out tools that a host does not list, or not yet', () => {
    const refuse = () => {
      throw new Error('not initialized');
    };
    const { turn, said } = drive({}, readTools({ getActiveTools: refuse }));
    turn({ getSystemPrompt: refuse });
    expect(said('pi.context.sampled.v1')[0]).not.toHaveProperty('tools');
  });

  it("does not measure omp's tools, whose parameters are no plain data", () => {
    const tools = readTools({
      pi: {},
      getActiveTools: () => ['read'],
      getAllTools: () => [tool('read')],
    });
    const { turn, said } = drive({ hostName: 'omp' }, tools);
    turn();
    expect(said('pi.context.sampled.v1')[0]).toMatchObject({
      tools: 1,
      toolSetHash: expect.any(String),
    });
    expect(said('pi.context.sampled.v1')[0]).not.toHaveProperty('toolDefinitionChars');
  });
});
