/** A session's time line: its items, their times, and sums that no thinning changes. */
import type { CostsByBilling, Timeline } from '@pi-ledger/contract/answers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TimelineWish, timelineAnswer } from '../../../../collector/answers/timeline/query.ts';
import { Story } from '../context/given.ts';
import { opened } from '../context/opened.ts';
import { anyStory } from '../context/stories.ts';

const nobody = { subagents: [], hasMore: false };
const whole = { from: null, to: null, only: null, items: 5_000 };

function timelineOf(story: Story, wish: Partial<TimelineWish> = {}): Timeline {
  const { context, state } = opened(story.events);
  const spent = { costs: new Map([['metered' as const, 5_000n]]), unpriced: 0, unreported: 0 };
  return timelineAnswer({ context, state, found: nobody, spent }, { ...whole, ...wish });
}

function sumOf(costs: readonly CostsByBilling[]): bigint {
  return costs.reduce((sum, { metered = '0' }) => sum + BigInt(metered), 0n);
}

const metered = (story: Story) =>
  story.live('pi.session.attributed.v1', { billing: { anthropic: 'metered' } });

describe('a time line', () => {
  it('has the same sums however few its items, whatever the period', () => {
    const wish = fc.record({ items: fc.integer({ min: 1, max: 30 }), second: fc.nat(60) });
    fc.assert(
      fc.property(anyStory, wish, (story, { items: itemsMax, second }) => {
        metered(story);
        const all = timelineOf(story);
        const thin = timelineOf(story, { items: itemsMax });
        const total = sumOf(all.items.map(({ costs }) => costs));
        expect(sumOf(thin.items.map(({ costs }) => costs))).toBe(total);
        expect([thin.costs, thin.costsNotPlaced]).toEqual([all.costs, all.costsNotPlaced]);
        expect(total + sumOf([all.costsNotPlaced])).toBe(5_000n);
        expect(sumOf([thin.items.at(-1)?.costsSoFar ?? {}])).toBe(total);
        const held = thin.items.reduce((sum, { merged }) => sum + countOf(merged), 0);
        expect([held, thin.itemsInAll]).toEqual([thin.itemsMerged, all.items.length]);
        const at = new Date(Date.parse('2026-11-22T09:00:00.000Z') + second * 1_000).toISOString();
        const [before, after] = [timelineOf(story, { to: at }), timelineOf(story, { from: at })];
        expect([...before.items, ...after.items]).toEqual(all.items);
        expect(after.costsNotPlaced).toEqual(all.costsNotPlaced);
      }),
      { numRuns: 150 },
    );
  });

  it('says when things began and how long they took, as far as a host told', () => {
    const story = metered(new Story()).user('u1');
    story.turn('t1', { inputTokens: 7, cacheReadTokens: 3, outputTokens: 2, costNanoUsd: 40 });
    story.live('pi.turn.timed.v1', {
      entryId: 't1',
      durationMs: 900,
      timeToFirstByteMs: 300,
      status: 200,
    });
    story.read('r1', 'a.txt');
    story.live('pi.tool.timed.v1', { toolCallId: 'call_2_0', durationMs: 250 });
    story.live('pi.human.waited.v1', { kind: 'confirm', turnEntryId: 't1', durationMs: 500 });
    story.compaction('c1', { tokensBefore: 900 });
    story.live('pi.compaction.timed.v1', { entryId: 'c1', durationMs: 800 });
    story.live('pi.compaction.failed.v1', { trigger: 'manual', durationMs: 100 });
    story.live('pi.run.completed.v1', {
      promptEntryId: 'u1',
      outcome: 'completed',
      filesModified: ['a.txt'],
      durationMs: 4_000,
    });
    const { items } = timelineOf(story);
    expect(items.map(({ kind }) => kind)).toEqual([
      'prompt',
      'turn',
      'tool',
      'wait',
      'compaction',
      'failedCompaction',
    ]);
    const [prompt, turn, tool, wait, compaction, failed] = items;
    expect(prompt?.run).toEqual({
      turns: 1,
      toolCalls: 1,
      failedTurns: 0,
      outcome: 'completed',
      filesModified: 1,
      durationMs: 4_000,
      costs: { metered: '40' },
      unpriced: 0,
    });
    expect(turn).toMatchObject({
      ...{ entryId: 't1', turn: 1, name: 'sonnet', tokens: 10, outputTokens: 2, failed: false },
      ...{ firstTokenMs: 9.5, status: 200, costSource: 'priced' },
      ...{ costs: { metered: '40' }, costsSoFar: { metered: '40' } },
    });
    expect(turn).toMatchObject({ cacheReadTokens: 3, missedTokens: null, resultTokens: null });
    expect(tool).toMatchObject({ name: 'read', durationMs: 15, costs: {} });
    expect(tool).toMatchObject({ resultTokens: 100, paths: ['a.txt'], cacheReadTokens: null });
    expect(wait).toMatchObject({ name: 'confirm', entryId: 't1', durationMs: 500 });
    expect(Date.parse(wait?.time ?? '') - Date.parse(wait?.startedAt ?? '')).toBe(500);
    expect(compaction).toMatchObject({ durationMs: 800, tokens: 900, costSource: 'unreported' });
    expect(failed).toMatchObject({ name: 'manual', failed: true, durationMs: 100 });
  });

  it('counts what has no price in what a prompt led to, beside what it cost', () => {
    const story = metered(new Story()).user('u1');
    story.turn('t1', { costNanoUsd: 40 });
    story.turn('t2', { costNanoUsd: null, costSource: 'unpriced' });
    story.turn('f1', { reported: false, costNanoUsd: null });
    const [prompt] = timelineOf(story).items;
    expect(prompt?.run).toMatchObject({ turns: 3, costs: { metered: '40' }, unpriced: 1 });
  });

  it('takes the times of pi from what its live host told, beside the entries', () => {
    const story = metered(new Story()).user('u1');
    const untold = { durationMs: null, timeToFirstTokenMs: null, requestedAtMs: null };
    story.entry('pi.turn.completed.v1', 't1', untold);
    story.entry('pi.tool.completed.v1', 'r1', { ...untold, toolCallId: 'call_9', spend: null });
    const silent = timelineOf(story).items.slice(1);
    expect(silent.map(({ startedAt, durationMs }) => [startedAt, durationMs])).toEqual([
      [null, null],
      [null, null],
    ]);
    story.live('pi.turn.timed.v1', { entryId: 't1', durationMs: 900, timeToFirstByteMs: 300 });
    story.live('pi.tool.timed.v1', { toolCallId: 'call_9', durationMs: 250 });
    const told = timelineOf(story).items.slice(1);
    expect(told).toMatchObject([{ durationMs: 900, firstTokenMs: 300 }, { durationMs: 250 }]);
    for (const { time, startedAt, durationMs } of told)
      expect(Date.parse(time) - Date.parse(startedAt ?? '')).toBe(durationMs);
  });

  it('shows the costliest, the failed or the cache misses alone, with the same sums so far', () => {
    const story = metered(new Story()).user('u1');
    for (let turn = 1; turn <= 60; turn++)
      story.turn(`t${turn}`, { costNanoUsd: turn, cacheReadTokens: turn === 60 ? 0 : 1_000 });
    story.turn('f1', { reported: false, costNanoUsd: null });
    story.live('pi.retry.scheduled.v1', { leafEntryId: 'f1', attempt: 1, delayMs: 2_000 });
    const dear = timelineOf(story, { only: 'costliest' });
    expect(dear.items.map(({ entryId }) => entryId)).toEqual(
      Array.from({ length: 50 }, (_, index) => `t${index + 11}`),
    );
    expect(dear.items.at(0)?.costsSoFar).toEqual({ metered: '66' });
    expect(dear.itemsInAll).toBe(50);
    expect(dear.costsNotPlaced).toEqual(timelineOf(story).costsNotPlaced);
    const failed = timelineOf(story, { only: 'failed' }).items;
    expect(failed.map(({ kind }) => kind)).toEqual(['turn', 'retry']);
    const missed = timelineOf(story, { only: 'misses' }).items;
    expect(missed).toMatchObject([{ entryId: 't60', costs: { metered: '60' } }]);
    expect(missed[0]?.missedTokens).toBeGreaterThan(0);
  });

  it('counts failures, retries and records without a price in what it merges', () => {
    const story = metered(new Story()).user('u1');
    for (let turn = 1; turn <= 20; turn++) story.turn(`t${turn}`, { costNanoUsd: 10 });
    story.turn('f1', { reported: false, costNanoUsd: null });
    story.live('pi.retry.scheduled.v1', { leafEntryId: 'f1', attempt: 1, delayMs: 2_000 });
    story.turn('x1', { costNanoUsd: null, costSource: 'unpriced' });
    const [only, ...others] = timelineOf(story, { items: 1 }).items;
    expect(others).toEqual([]);
    expect(only).toMatchObject({ kind: 'merged', failed: true, costs: { metered: '200' } });
    expect(only?.merged).toEqual({
      prompts: 1,
      turns: 22,
      failedTurns: 1,
      tools: 0,
      failedTools: 0,
      retries: 1,
      waits: 0,
      subagents: 0,
      others: 0,
      unpriced: 1,
      unreported: 1,
    });
  });
});

function countOf(merged: Timeline['items'][number]['merged']): number {
  if (merged === null) return 0;
  const { prompts, turns, tools, retries, waits, subagents, others } = merged;
  return prompts + turns + tools + retries + waits + subagents + others;
}
