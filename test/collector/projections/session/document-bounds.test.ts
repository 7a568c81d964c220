/**
 * How large documents can become. Large and slow on purpose, so mutants do not run this file
 * (lab/mutation/folders.ts).
 */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { context } from '../../../../collector/projections/context.ts';
import { UnfoldableError } from '../../../../collector/projections/projection.ts';
import { documentBytesMax } from '../../../../collector/subscription/guard.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, limitsWide, spendOf, turn } from '../support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const longName = (index: number) => `\u0001${index}`.padEnd(500, '\u0001');
const minuteOf = (index: number) =>
  new Date(Date.parse('2020-01-01T00:00:00.000Z') + index * 60_000).toISOString();
const hourOf = (index: number) => minuteOf(index * 61);

function bytesOf(documents: Record<string, string>): number {
  return Math.max(...Object.values(documents).map((body) => Buffer.byteLength(body)));
}

const claim = (key: string, claimed: Spend, at: string) =>
  event('pi.subagent.claimed.v1', { at }, { key, claimed });
const account = (keys: string[], accounted: Spend) =>
  event('pi.subagent.accounted.v1', { at }, { keys, accounted });
const answer = spendOf({
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 300,
  cacheWriteTokens: 40,
  costNanoUsd: 5_000,
});
const response = (number: number): string => `response:${number.toString(16).padStart(16, '0')}`;

/** Lines have three texts before their cells. */
function recordsIn(body: string): number {
  const { usage } = JSON.parse(body) as { usage: { lines: (string | number[])[][] }[] };
  const cells = usage.flatMap(({ lines }) => lines.flat().filter((each) => Array.isArray(each)));
  return cells.reduce((sum, [, records = 0]) => sum + records, 0);
}

/** Like the subscription, leaves out refused events. */
function foldAll(projection: typeof sessions, events: readonly LedgerEvent[]) {
  const state = { value: projection.initial('s1') };
  const refused: LedgerEvent[] = [];
  events.forEach((given, index) => {
    try {
      state.value = projection.evolve(
        state.value,
        { position: index + 1, receivedAtMs: 0, event: given },
        () => undefined,
      );
    } catch (error) {
      if (!(error instanceof UnfoldableError)) throw error;
      refused.push(given);
    }
  });
  return { body: projection.encode(state.value), refused };
}

describe('a document is bounded, and nothing of what was spent is lost for it', () => {
  it('with 24,000 turns of models with long names', () => {
    const turns = Array.from({ length: 24_000 }, (_, index) =>
      turn(minuteOf(index), { model: longName(index), costNanoUsd: 7 }),
    );
    const { body, refused } = foldAll(sessions, turns);
    expect(refused).toEqual([]);
    expect(Buffer.byteLength(body)).toBeLessThan(4_000_000);
    expect(recordsIn(body)).toBe(24_000);
  });

  it('with every answer ending in its own way, at levels with long names', () => {
    const turns = Array.from({ length: 15_000 }, (_, index) =>
      turn(minuteOf(index), { model: longName(index % 150), costNanoUsd: 7 }, 's1', {
        thinkingLevel: longName(index),
        stopReason: longName(index),
      }),
    );
    const { body, refused } = foldAll(sessions, turns);
    expect(refused).toEqual([]);
    expect(Buffer.byteLength(body)).toBeLessThan(5_000_000);
    expect(recordsIn(body)).toBe(15_000);
  });

  it('with attributions of any size: the newest stay', () => {
    const billing = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [
        longName(index).slice(0, 100),
        'metered' as const,
      ]),
    );
    const many = Array.from({ length: 300 }, (_, index) =>
      attributed(minuteOf(index), { project: `p${index}`, billing }),
    );
    const { documents } = fold(sessions, many);
    expect(bytesOf(documents())).toBeLessThan(6_000_000);
    expect(Object.values(documents())[0]).toContain('"p299"');
    expect(fold(sessions, many.toReversed()).documents()).toEqual(documents());
  });

  it('with more hours of work than a life: the rest is refused, unchanged', () => {
    const turns = Array.from({ length: 16_200 }, (_, index) =>
      turn(hourOf(index), { costNanoUsd: 1e15 - index, inputTokens: 1e12 }),
    );
    const { body, refused } = foldAll(sessions, turns);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused).toEqual(turns.slice(-refused.length));
    expect(Buffer.byteLength(body)).toBeLessThan(documentBytesMax);
    expect(body).toBe(foldAll(sessions, turns.slice(0, -refused.length)).body);
  });

  it('in a chunk of the context: long paths and names', () => {
    const paths = Array.from({ length: 8 }, (_, index) => longName(index).slice(0, 300));
    const tools = Array.from({ length: 1_000 }, (_, index) =>
      event(
        'pi.tool.completed.v1',
        { at },
        { entryId: `e${index}`, toolName: longName(index), paths },
      ),
    );
    const files = Array.from({ length: 500 }, (_, index) => longName(index).slice(0, 300));
    const summaries = Array.from({ length: 50 }, (_, index) =>
      event(
        'pi.compaction.completed.v1',
        { at },
        { entryId: `c${index}`, filesRead: files, filesModified: files },
      ),
    );
    const forth = fold(context, [...tools, ...summaries]).documents();
    expect(bytesOf(forth)).toBeLessThan(documentBytesMax);
    expect(bytesOf(forth)).toBeGreaterThan(1_000_000);
    expect(fold(context, [...tools, ...summaries].toReversed()).documents()).toEqual(forth);
  });

  it('with 10,000 answers of subagents, claimed, accounted for, or both', () => {
    const numbers = Array.from({ length: limitsWide.claimsMax - 50 }, (_, index) => index);
    const time = (number: number) =>
      new Date(Date.parse(at) + Math.floor(number / 20) * 60_000).toISOString();
    const claims = numbers.map((number) =>
      claim(response(number * 7_919 + 2 ** 48), answer, time(number)),
    );
    const accounts = numbers.map((number) =>
      account([`turn:t${number % 50}`, response(number * 7_919 + 2 ** 48)], answer),
    );
    const sizeOf = (given: readonly LedgerEvent[]) =>
      fold(sessions, given).documents().s1?.length ?? 0;
    expect(sizeOf(claims)).toBeLessThan(600_000);
    expect(sizeOf(accounts)).toBeLessThan(200_000);
    expect(sizeOf([...claims, ...accounts])).toBeLessThan(250_000);
  });
});
