/** What is kept of an entry: as a fact, and as its list in a chunk. */
import type { EventData, LedgerEvent, Spend } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { toEntryFact } from '../../../../collector/projections/context/entry-fact.ts';
import { decodeEntry, encodeEntry } from '../../../../collector/projections/context/entry-text.ts';
import type { EntryFact } from '../../../../collector/projections/context/facts.ts';
import { event, spendOf } from '../support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const entry = {
  entryId: 'e2',
  parentEntryId: 'e1',
  promptEntryId: null,
  sizes: { textChars: 4, thinkingChars: 0, toolCallChars: 7, otherChars: 0, images: 0 },
};
const place = { time: at, id: 'e2', parentId: 'e1', promptId: null, sizes: [4, 0, 7, 0, 0] };
const placeText = [at, 'e2', 'e1', null, [4, 0, 7]];

const limits = { toolPathsMax: 2, summaryPathsMax: 1, pathCharsMax: 5 };

function factOf(given: LedgerEvent): EntryFact {
  const fact = toEntryFact(given, limits);
  if (fact === null) throw new Error(`nothing is kept of ${given.type}`);
  return fact;
}

function turn(data: Partial<EventData<'pi.turn.completed.v1'>>): LedgerEvent {
  const none = { nonMessageTokens: undefined } as unknown as typeof data;
  return event('pi.turn.completed.v1', { at }, { ...entry, ...none, ...data });
}

const figures = {
  provider: 'anthropic',
  model: 'sonnet',
  reported: true,
  inputTokens: 1,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costNanoUsd: 1,
};

describe('what is kept of', () => {
  it('a prompt: where it stands', () => {
    const fact = factOf(event('pi.prompt.submitted.v1', { at }, entry));
    expect(fact).toEqual({ kind: 'user', ...place });
    expect(encodeEntry(fact)).toEqual([0, ...placeText]);
  });

  it('an answer: its figures, and what it cost by kind of token', () => {
    const cost = { input: 0.0045000000000000005, output: 0.0075, cacheRead: 0.0003, cacheWrite: 0 };
    const spend = spendOf({ outputTokens: 2, cacheReadTokens: 3, rawUsage: { cost } });
    const fact = factOf(turn({ spend, stopReason: 'toolUse', nonMessageTokens: 9 }));
    const parts = {
      inputNanoUsd: 4_500_000,
      cacheReadNanoUsd: 300_000,
      cacheWriteNanoUsd: 0,
      outputNanoUsd: 7_500_000,
    };
    const times = { requestedAtMs: 1_795_295_540_864, durationMs: 26, firstTokenMs: 9.5 };
    const answer = { stopReason: 'toolUse', nonMessageTokens: 9, ...times, errorStatus: null };
    const own = { ...figures, outputTokens: 2, cacheReadTokens: 3 };
    expect(fact).toEqual({ kind: 'turn', ...place, ...own, ...parts, ...answer });
    const costs = [1, 4_500_000, 300_000, 0, 7_500_000];
    const text = [1, 2, 3, 0, ...costs, 1_795_295_540_864, 26, 9.5];
    expect(encodeEntry(fact)).toEqual([
      1,
      ...placeText,
      'anthropic',
      'sonnet',
      true,
      'toolUse',
      9,
      ...text,
    ]);
    expect(decodeEntry(encodeEntry(fact))).toEqual(fact);
  });

  it('an answer of which the host says nothing', () => {
    const fact = factOf(
      turn({
        spend: spendOf({ provider: null, model: null, costNanoUsd: null }),
        stopReason: null,
      }),
    );
    expect(fact).toMatchObject({
      provider: '',
      model: '',
      stopReason: '',
      nonMessageTokens: null,
      costNanoUsd: null,
      inputNanoUsd: null,
      cacheReadNanoUsd: null,
      cacheWriteNanoUsd: null,
    });
  });

  it.each([
    ['no amount', 'free', null],
    ['below zero', -0.1, null],
    ['beyond all amounts', 1e300, null],
    ['text', '0.5', null],
    ['zero', 0, 0],
  ])('a part of a cost that is %s', (_what, input, inputNanoUsd) => {
    const spend = spendOf({ rawUsage: { cost: { input } } });
    expect(factOf(turn({ spend }))).toMatchObject({ inputNanoUsd });
  });

  it('an answer without a price: its zeros mean nothing', () => {
    const spend = spendOf({ costSource: 'unpriced', rawUsage: { cost: { input: 0 } } });
    expect(factOf(turn({ spend }))).toMatchObject({ inputNanoUsd: null });
  });

  it("a tool's result: some of its paths, and none that is too long", () => {
    const data = { toolName: 'read', isError: true, turnEntryId: 'e1', spend: null };
    const paths = ['12345', '123456', 'b', 'c'];
    const fact = factOf(event('pi.tool.completed.v1', { at }, { ...entry, ...data, paths }));
    const kept = { toolName: 'read', isError: true, turnId: 'e1', paths: ['12345', 'b'] };
    const timed = { callId: 'call_2_0', durationMs: 15, provider: '', costNanoUsd: null };
    expect(fact).toEqual({ kind: 'tool', ...place, ...kept, ...timed });
    const text = [2, ...placeText, 'read', true, 'e1', ['12345', 'b']];
    expect(encodeEntry(fact)).toEqual([...text, 'call_2_0', 15]);
    expect(encodeEntry({ ...fact, callId: null, durationMs: null } as EntryFact)).toEqual(text);
  });

  it("what a tool's own model work cost", () => {
    const spend = spendOf({ provider: 'openai', costNanoUsd: 7 });
    const fact = factOf(event('pi.tool.completed.v1', { at }, { ...entry, spend }));
    expect(fact).toMatchObject({ provider: 'openai', costNanoUsd: 7 });
    expect(decodeEntry(encodeEntry(fact))).toEqual(fact);
  });

  it.each([
    ['from a provider, at no known cost', { provider: 'openai', costNanoUsd: null }],
    ['from nobody known, at a cost', { provider: null, costNanoUsd: 7 }],
  ])("a tool's own model work %s", (_what, known) => {
    const spend = spendOf(known);
    const fact = factOf(event('pi.tool.completed.v1', { at }, { ...entry, spend }));
    expect(fact).toMatchObject({ ...known, provider: known.provider ?? '' });
    expect(decodeEntry(encodeEntry(fact))).toEqual(fact);
  });

  it('what an earlier version kept without paths of tools and providers of usage', () => {
    expect(decodeEntry([2, ...placeText, 'read', true, 'e1'])).toMatchObject({
      kind: 'tool',
      paths: [],
      callId: null,
      durationMs: null,
      provider: '',
      costNanoUsd: null,
    });
    expect(decodeEntry([5, ...placeText, 'side', 5])).toMatchObject({
      kind: 'usage',
      costNanoUsd: 5,
      provider: '',
    });
  });

  it.each([
    [1, 0, true],
    [0, 1, true],
    [1, 1, true],
    [0, 0, false],
    [undefined, undefined, false],
  ])('a message with %s tools more and %s less', (toolsAdded, toolsRemoved, toolsChanged) => {
    const data = { ...entry, role: 'system', toolsAdded, toolsRemoved, toolDefinitionChars: 12 };
    const given = event('pi.message.appended.v1', { at }, data as never);
    const kept = { role: 'system', toolDefinitionChars: 12, toolsChanged };
    expect(factOf(given)).toEqual({ kind: 'message', ...place, ...kept });
    expect(encodeEntry(factOf(given))).toEqual([3, ...placeText, 'system', 12, toolsChanged]);
  });

  it('a change of the model', () => {
    const data = { ...entry, provider: 'openai', model: 'gpt', thinkingLevel: 'low', role: 'slow' };
    const fact = factOf(event('pi.model.changed.v1', { at }, data));
    const kept = { provider: 'openai', model: 'gpt', thinkingLevel: 'low', role: 'slow' };
    expect(fact).toEqual({ kind: 'model', ...place, ...kept });
    expect(encodeEntry(fact)).toEqual([4, ...placeText, 'openai', 'gpt', 'low', 'slow']);
    const nothing = { provider: null, model: null, thinkingLevel: null, role: null };
    const silent = factOf(event('pi.model.changed.v1', { at }, { ...entry, ...nothing }));
    expect(silent).toMatchObject({ provider: '', model: '', thinkingLevel: '', role: '' });
  });

  it('usage of another kind', () => {
    const usage = (spend: Partial<Spend>) =>
      event('pi.usage.recorded.v1', { at }, {
        ...entry,
        kind: 'side',
        spend: spendOf(spend),
      } as never);
    const fact = factOf(usage({ costNanoUsd: 5 }));
    const kept = { usageKind: 'side', provider: 'anthropic', costNanoUsd: 5 };
    expect(fact).toEqual({ kind: 'usage', ...place, ...kept });
    expect(encodeEntry(fact)).toEqual([5, ...placeText, 'side', 5, 'anthropic']);
    expect(factOf(usage({ provider: null }))).toMatchObject({ provider: '' });
  });

  it('an edit of the context', () => {
    const data = { ...entry, targetEntryId: 'e0', removed: true };
    const fact = factOf(event('pi.context.edited.v1', { at }, data));
    expect(fact).toEqual({ kind: 'edit', ...place, targetId: 'e0', removed: true });
    expect(encodeEntry(fact)).toEqual([8, ...placeText, 'e0', true]);
  });

  const summary = {
    ...entry,
    fromExtension: false,
    filesRead: ['a', 'b'],
    filesModified: ['c', 'd', 'e'],
  };
  const summaryFact = {
    fromExtension: false,
    filesRead: ['a'],
    filesReadCount: 2,
    filesModified: ['c'],
    filesModifiedCount: 3,
  };
  const summaryText = [false, ['a'], 2, ['c'], 3];

  it('a compaction, and of one whose method nobody told', () => {
    const data = {
      ...summary,
      spend: spendOf({}),
      tokensBefore: 90,
      tokensAfterEstimated: null,
      firstKeptEntryId: 'e1',
      method: 'soft',
      toolDefinitionChars: 11,
    };
    const given = event('pi.compaction.completed.v1', { at }, data as never);
    const own = { tokensBefore: 90, tokensAfterEstimated: null, firstKeptId: 'e1' };
    const fact = factOf(given);
    expect(fact).toEqual({
      kind: 'compaction',
      ...place,
      ...summaryFact,
      ...own,
      spend: figures,
      eventId: given.id,
      method: 'soft',
      toolDefinitionChars: 11,
    });
    const text = [...summaryText, figures, given.id, 90, null, 'e1', 'soft', 11];
    expect(encodeEntry(fact)).toEqual([6, ...placeText, ...text]);
    const silent = { ...data, method: undefined, toolDefinitionChars: undefined } as never;
    expect(factOf(event('pi.compaction.completed.v1', { at }, silent))).toMatchObject({
      method: '',
      toolDefinitionChars: 0,
    });
  });

  it('a branch summary', () => {
    const data = { ...summary, spend: null, fromEntryId: 'e9' };
    const given = event('pi.branch.summarized.v1', { at }, data);
    const fact = factOf(given);
    const own = { spend: null, eventId: given.id, fromId: 'e9' };
    expect(fact).toEqual({ kind: 'branchSummary', ...place, ...summaryFact, ...own });
    const text = [...summaryText, null, given.id, 'e9'];
    expect(encodeEntry(fact)).toEqual([7, ...placeText, ...text]);
    expect(decodeEntry(encodeEntry(fact))).toEqual(fact);
  });

  it('an event of no entry: nothing', () => {
    expect(toEntryFact(event('pi.run.completed.v1', { at }), limits)).toBeNull();
  });
});
