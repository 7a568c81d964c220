/** How an answer is shared among the tool calls that it asked for. */
import type { EventData, Spend } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedTools } from '../../../../collector/projections/timings/asked.ts';
import { asked } from '../../../../collector/projections/timings/rollups.ts';
import { event, spendOf } from '../support/given.ts';

const { measures } = asked;

function askedBy(toolCalls: Record<string, number>, spend: Partial<Spend> = {}) {
  return askedTools(answered(toolCalls, spend)).map(({ name, amounts }) => ({
    tool: name.at(-1) ?? '',
    ...Object.fromEntries(measures.map((measure, index) => [measure, Number(amounts[index])])),
  })) as Record<string, number | string>[];
}

function answered(toolCalls: Record<string, number>, spend: Partial<Spend>) {
  const at = '2026-11-22T10:00:00.000Z';
  const given = event('pi.turn.completed.v1', { at }, { toolCalls, spend: spendOf(spend) });
  return given.data as EventData<'pi.turn.completed.v1'>;
}

const sum = (rows: readonly Record<string, number | string>[], name: string): number =>
  rows.reduce((total, row) => total + Number(row[name]), 0);

describe('an answer', () => {
  it('that asked for no call is in no tool', () => {
    expect(askedBy({})).toEqual([]);
    expect(askedBy({ read: 0 })).toEqual([]);
  });

  it('is shared without a rest, whatever it asked for, and never below zero', () => {
    const calls = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 40 }),
      { maxKeys: 80, noNullPrototype: true },
    );
    const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(calls, amount, amount, amount, (toolCalls, costNanoUsd, input, output) => {
        const spend = { costNanoUsd, inputTokens: input, outputTokens: output };
        const rows = askedBy(toolCalls, spend);
        const all = Object.values(toolCalls).reduce((total, count) => total + count, 0);
        expect(sum(rows, 'calls')).toBe(all);
        expect(sum(rows, 'nanoUsd')).toBe(all === 0 ? 0 : costNanoUsd);
        expect(sum(rows, 'tokens')).toBe(all === 0 ? 0 : input + output);
        for (const row of rows) expect(Number(row.nanoUsd)).toBeGreaterThanOrEqual(0);
        const reversed = Object.fromEntries(Object.entries(toolCalls).toReversed());
        expect(askedBy(reversed, spend)).toEqual(rows);
      }),
    );
  });

  it('without a price, or without usage, says so of each call', () => {
    const calls = { bash: 1, read: 2 };
    const unpriced = { costSource: 'unpriced' as const, costNanoUsd: null };
    expect(askedBy(calls, unpriced)).toMatchObject([
      { tool: 'bash', calls: 1, unpricedCalls: 1, unreportedCalls: 0, nanoUsd: 0 },
      { tool: 'read', calls: 2, unpricedCalls: 2, unreportedCalls: 0, nanoUsd: 0 },
    ]);
    for (const none of [{ costSource: 'unpriced' as const, costNanoUsd: 5 }, { costNanoUsd: null }])
      expect(askedBy(calls, none)).toMatchObject([
        { unpricedCalls: 1, nanoUsd: 0 },
        { unpricedCalls: 2, nanoUsd: 0 },
      ]);
    for (const costNanoUsd of [null, 5])
      expect(askedBy(calls, { reported: false, costNanoUsd })).toMatchObject([
        { unpricedCalls: 0, unreportedCalls: 1, nanoUsd: 0 },
        { unpricedCalls: 0, unreportedCalls: 2, nanoUsd: 0 },
      ]);
    expect(askedBy(calls)).toMatchObject([
      { unpricedCalls: 0, unreportedCalls: 0 },
      { unpricedCalls: 0, unreportedCalls: 0 },
    ]);
  });

  it('with very many names keeps the alphabetically first', () => {
    const names = Array.from({ length: 60 }, (_, index) => `t${String(index).padStart(2, '0')}`);
    const rows = askedBy(Object.fromEntries(names.map((name) => [name, 2])));
    expect(rows.map(({ tool }) => tool)).toEqual([...names.slice(0, 50), '(other)']);
    expect(rows.at(-1)).toMatchObject({ calls: 20 });
    const fifty = askedBy(Object.fromEntries(names.slice(0, 50).map((name) => [name, 1])));
    expect(fifty).toHaveLength(50);
  });

  it('that claims more calls than a number holds is shared all the same', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const names = Array.from({ length: 60 }, (_, index) => `t${String(index).padStart(2, '0')}`);
    const rows = askedBy(Object.fromEntries(names.map((name) => [name, most])), {
      costNanoUsd: 1_000,
    });
    expect(rows.map(({ calls }) => calls)).toEqual(Array(51).fill(most));
    expect(sum(rows, 'nanoUsd')).toBe(1_000);
  });

  it('of unknown provider and model has empty names', () => {
    const [first] = askedTools(answered({ read: 1 }, { provider: null, model: null }));
    expect(first?.name).toEqual(['', '', 'read']);
  });
});
