/** The turns of a session: rows, words, and amounts that are never made up. */
import { describe, expect, it } from 'vitest';
import { costOfItem } from '../../../../dashboards/web/views/sessions/session/item-cost.ts';
import { treeOf } from '../../../../dashboards/web/views/sessions/session/tree.ts';
import { turnRowsOf } from '../../../../dashboards/web/views/sessions/session/turn-rows.ts';
import { rowsWithin } from '../../../../dashboards/web/views/sessions/session/window.ts';
import {
  failureWords,
  mergedWords,
  slotWords,
} from '../../../../dashboards/web/views/sessions/session/words.ts';
import { costOf, itemOf, pointOf, second } from '../support/session-answers.ts';

const merged = {
  prompts: 2,
  turns: 40,
  failedTurns: 1,
  tools: 38,
  failedTools: 0,
  retries: 1,
  waits: 0,
  subagents: 0,
  others: 0,
  unpriced: 3,
  unreported: 1,
};

const run = {
  turns: 2,
  toolCalls: 0,
  failedTurns: 0,
  outcome: null,
  filesModified: null,
  durationMs: null,
  costs: { metered: '7' },
  unpriced: 0,
};

describe('the rows', () => {
  it('have the calls of an answer with it, and what stands alone on its own', () => {
    const rows = turnRowsOf([
      itemOf({ kind: 'model' }),
      itemOf({ kind: 'prompt' }),
      itemOf({ turn: 1 }),
      itemOf({ kind: 'tool', name: 'bash' }),
      itemOf({ kind: 'tool', name: 'read' }),
      itemOf({ turn: 2, failed: true, status: 529, costSource: 'unreported' }),
      itemOf({ kind: 'retry', durationMs: 2_000 }),
      itemOf({ kind: 'merged', merged }),
      itemOf({ kind: 'prompt' }),
      itemOf({ kind: 'tool', name: 'alone' }),
      itemOf({ kind: 'compaction' }),
      itemOf({ kind: 'subagent' }),
    ]);
    expect(rows.map(({ kind, prompt, tools }) => [kind, prompt, tools.length])).toEqual([
      ['prompt', 1, 0],
      ['turn', 1, 2],
      ['failed', 1, 0],
      ['merged', 3, 0],
      ['prompt', 4, 0],
      ['other', 4, 0],
      ['summary', 4, 0],
      ['subagent', 4, 0],
    ]);
    const failed = rows.find(({ kind }) => kind === 'failed');
    expect(failed === undefined ? '' : failureWords(failed)).toBe('529, tried again after 2.0 s');
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it('say what is merged', () => {
    expect(mergedWords(merged)).toBe('2 prompts, 40 turns, 1 failed, 38 tool calls, 1 retry');
  });

  it('are drawn where they are seen alone', () => {
    const seen = { top: 28_000, height: 600, row: 28 };
    expect(rowsWithin(20_000, seen)).toEqual({ first: 988, last: 1_034 });
    expect(rowsWithin(3, seen)).toEqual({ first: 0, last: 3 });
    expect(rowsWithin(0, { ...seen, top: 0 })).toEqual({ first: 0, last: 0 });
  });
});

describe('what an item cost', () => {
  it('is not known where nothing was reported, and never zero', () => {
    const unknown = { nanoUsd: null, mark: 'exact' };
    const silent = itemOf({ costSource: 'unreported' });
    expect(costOfItem(silent, 'metered', true)).toEqual(unknown);
    expect(costOfItem(itemOf({ costSource: 'unpriced' }), 'subscription', true)).toEqual(unknown);
    expect(costOfItem(itemOf({ kind: 'tool' }), 'metered', true)).toBeNull();
  });

  it('is each kind of billing alone', () => {
    const mixed = itemOf({ costSource: 'priced', costs: { subscription: '9', metered: '5' } });
    expect(costOfItem(mixed, 'metered', false)).toEqual({ nanoUsd: 5n, mark: 'exact' });
    expect(costOfItem(mixed, 'subscription', false)).toEqual({ nanoUsd: 9n, mark: 'exact' });
    expect(costOfItem(mixed, 'unknown', false)).toBeNull();
    const silent = itemOf({ costSource: 'unreported' });
    expect(costOfItem(silent, 'metered', false)).toBeNull();
  });

  it('is at least what is known of several', () => {
    const some = itemOf({ kind: 'merged', merged, costs: { metered: '50' } });
    expect(costOfItem(some, 'metered', true)).toEqual({ nanoUsd: 50n, mark: 'atLeast' });
    const prompt = itemOf({ kind: 'prompt', run: { ...run, unpriced: 1 } });
    expect(costOfItem(prompt, 'metered', true)).toEqual({ nanoUsd: 7n, mark: 'atLeast' });
    const priced = itemOf({ kind: 'prompt', run });
    expect(costOfItem(priced, 'metered', true)).toEqual({ nanoUsd: 7n, mark: 'exact' });
  });
});

describe('the line above the charts', () => {
  const slotOf = (point: object, item: object | null = {}) => ({
    point: pointOf(point),
    item: item === null ? null : itemOf(item),
    from: 0,
    to: 0,
    turns: 1,
  });

  it('says what was sent, what it cost, how long it took, and what was called', () => {
    const byBilling = { metered: costOf(7_500_000), subscription: costOf(20_000_000) };
    const slot = slotOf(
      { turn: 61, tokens: 52_145, cacheReadTokens: 44_692, byBilling },
      { durationMs: 17_000 },
    );
    expect(slotWords(slot, [itemOf({ name: 'read' })])).toEqual([
      'turn 61',
      'sent 52,145, of these from cache 44,692; $0.0075; $0.0200 subscription; 17.0 s; read',
    ]);
  });

  it('says of an attempt that reported nothing that its cost is not known', () => {
    const byBilling = { metered: costOf(0, { unreportedRecords: 1 }) };
    const slot = slotOf({ source: 'estimate', byBilling }, { failed: true, status: 529 });
    expect(slotWords(slot, [])).toEqual(['turn 1', 'failed with 529; cost n/a']);
  });

  it('names the turns that one point stands for', () => {
    const slot = { ...slotOf({ turn: 40 }, null), turns: 40 };
    expect(slotWords(slot, [])[0]).toBe('turns 1 to 40');
  });
});

describe('a tree', () => {
  it('has each session below the one it comes from, the oldest first', () => {
    const session = (id: string, parentSessionId: string | null, seconds: number) => ({
      id,
      parentSessionId,
      startedAt: second(seconds),
    });
    const rows = treeOf([
      session('b', 'a', 20),
      session('c', 'a', 10),
      session('d', 'c', 30),
      session('a', 'elsewhere', 0),
    ]);
    expect(rows.map(({ session: { id }, depth }) => [id, depth])).toEqual([
      ['a', 0],
      ['c', 1],
      ['d', 2],
      ['b', 1],
    ]);
  });
});
