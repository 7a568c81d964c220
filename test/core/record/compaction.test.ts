import { describe, expect, it } from 'vitest';
import { holdsSummary } from '../../../core/record/compaction.ts';
import type { EventDraft } from '../../../core/record/draft.ts';
import type { Entry } from '../../../core/record/entry.ts';
import type { RecordedSession } from '../../../core/record/entry-draft.ts';
import { rootState } from '../../../core/record/path-state.ts';
import { recorded, session } from './support/recorded.ts';

const above = { ...rootState, promptEntryId: 'p1', turnEntryId: 't1', provider: 'p', model: 'm' };
const usage = { input: 700, output: 120, cost: { total: 0.5 } };
const noSizes = { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 };

function dataOf(
  body: Record<string, unknown>,
  of: RecordedSession = session,
): EventDraft['data'] | undefined {
  const made = recorded(body, of, above);
  expect(made).toHaveLength(1);
  return made[0]?.data;
}

/** By the current model: the entry itself names none. */
const spend = {
  provider: 'p',
  api: null,
  model: 'm',
  responseModel: null,
  responseId: null,
  inputTokens: 700,
  outputTokens: 120,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: null,
  cacheWrite1hTokens: null,
  reported: true,
  costNanoUsd: 500_000_000,
  costSource: 'catalog',
  rawUsage: usage,
};
const common = { entryId: 'e1', parentEntryId: 'e0', promptEntryId: 'p1' };

describe('a compaction', () => {
  it('is recorded with all that it says', () => {
    const body = {
      type: 'compaction',
      summary: 'so far',
      usage,
      details: { readFiles: ['a.ts', 7, '/srv/shop/b.ts', 'a.ts'], modifiedFiles: ['c.ts', null] },
      systemMessage: { content: 'Be brief.', toolsAdded: [{ name: 'read' }] },
      tokensBefore: 9_600,
      tokensAfter: 4_550,
      firstKeptEntryId: 'k1',
      method: 'soft',
    };
    expect(dataOf(body)).toEqual({
      ...common,
      sizes: { ...noSizes, textChars: 6, otherChars: 9 + '[{"name":"read"}]'.length },
      fromExtension: false,
      filesRead: ['a.ts', 'b.ts'],
      filesModified: ['c.ts'],
      spend,
      systemChars: 9,
      toolDefinitionChars: '[{"name":"read"}]'.length,
      tokensBefore: 9_600,
      tokensAfterEstimated: 4_550,
      firstKeptEntryId: 'k1',
      method: 'soft',
    });
  });

  it('is recorded where it says nothing', () => {
    expect(dataOf({ type: 'compaction' })).toEqual({
      ...common,
      sizes: noSizes,
      fromExtension: false,
      filesRead: [],
      filesModified: [],
      spend: null,
      tokensBefore: null,
      tokensAfterEstimated: null,
      firstKeptEntryId: null,
      method: null,
    });
  });

  it.each([
    [{ fromHook: true }, true],
    [{ fromExtension: true }, true],
    [{ fromHook: false, fromExtension: 'yes' }, false],
  ])('with %j is an extension’s: %s', (body, fromExtension) => {
    expect(dataOf({ type: 'compaction', ...body })).toMatchObject({ fromExtension });
  });
});

describe('a branch summary', () => {
  it('is recorded with all that it says', () => {
    const details = { readFiles: ['a.ts'], modifiedFiles: ['c.ts'] };
    const body = {
      type: 'branch_summary',
      summary: 'so far',
      usage,
      details,
      fromId: 'f1',
      fromHook: true,
    };
    expect(dataOf(body)).toEqual({
      ...common,
      sizes: { ...noSizes, textChars: 6 },
      fromExtension: true,
      filesRead: ['a.ts'],
      filesModified: ['c.ts'],
      spend,
      fromEntryId: 'f1',
    });
  });

  it.each(['root', '', 7, undefined])('from %j is from no entry', (fromId) => {
    expect(dataOf({ type: 'branch_summary', fromId })).toMatchObject({ fromEntryId: null });
  });
});

describe('the text of a summary', () => {
  const asked: string[] = [];
  const contentOf = (text: string) => {
    asked.push(text);
    return text.includes('secret')
      ? null
      : { text: text.toUpperCase(), truncated: false, redactions: 0 };
  };

  it.each(['compaction', 'branch_summary'])('of a %s travels where it may, as it may', (type) => {
    const allowed = { ...session, contentOf };
    expect(dataOf({ type, summary: 'so far' }, allowed)).toMatchObject({
      summaryText: { text: 'SO FAR' },
    });
    expect(dataOf({ type, summary: 'a secret' }, allowed)).not.toHaveProperty('summaryText');
    expect(dataOf({ type, summary: 'so far' }, { ...session, contentOf: null })).not.toHaveProperty(
      'summaryText',
    );
  });

  it('that is none is asked for by nobody', () => {
    asked.length = 0;
    for (const summary of ['', null, 7, undefined])
      dataOf({ type: 'compaction', summary }, { ...session, contentOf });
    expect(asked).toEqual([]);
  });

  it('stands in no other entry', () => {
    const types = ['compaction', 'branch_summary', 'message', 'custom_message', 'usage'];
    expect(types.filter((type) => holdsSummary({ type } as Entry))).toEqual([
      'compaction',
      'branch_summary',
    ]);
  });
});

describe('a summary that may tell of a private stretch', () => {
  const after = { ...above, followsPrivate: true };
  const details = { readFiles: ['a.ts'], modifiedFiles: ['c.ts'] };
  const reading: RecordedSession = {
    ...session,
    contentOf: (text) => ({ text, truncated: false, redactions: 0 }),
  };
  const untold = { filesRead: [], filesModified: [] };

  it('names no files and no text of a compaction, but what it stands below', () => {
    const [made] = recorded({ type: 'compaction', summary: 'so far', details }, reading, after);
    expect(made?.data).toMatchObject({ ...untold, parentEntryId: 'e0' });
    expect(made?.data).not.toHaveProperty('summaryText');
  });

  it('does not say what a branch summary stands below: it may be a private entry', () => {
    const [made] = recorded({ type: 'branch_summary', summary: 'so far', details }, reading, after);
    expect(made?.data).toMatchObject({ ...untold, parentEntryId: null });
    expect(made?.data).not.toHaveProperty('summaryText');
  });
});
