import { describe, expect, it } from 'vitest';
import { createSummaryTexts } from '../../../../collector/importers/session/summary-texts.ts';
import type { Contents } from '../../../../core/content/contents.ts';
import type { EventDraft } from '../../../../core/record/draft.ts';

const draft = (type: string, data: object = {}, more: object = {}) =>
  ({
    id: type,
    type,
    time: '2026-11-20T09:00:00.000Z',
    subject: 's',
    data,
    ...more,
  }) as never as EventDraft;
const free = draft('pi.tool.completed.v1', { spend: null });

describe('the text of a summary', () => {
  const contents = (problem: string | null = null) =>
    ({ of: (text: string) => ({ text }), problem: () => problem }) as never as Contents;
  const summary = (data: object, type = 'pi.compaction.completed.v1') => draft(type, data);
  const without = summary({ sizes: { textChars: 5 } });

  it('travels, unless its line was cut', () => {
    const texts = createSummaryTexts(contents());
    expect(texts.contents?.of('x')).toEqual({ text: 'x' });
    texts.begin({ cutMark: 'cut' });
    expect(texts.contents?.of('x')).toBeNull();
    expect(texts.missingIn([without])).toBe('its line is too long');
    texts.begin({ cutMark: null });
    expect(texts.contents?.of('x')).toEqual({ text: 'x' });
    expect(texts.missingIn([without])).toBeNull();
  });

  it('is missed where something is wrong, in summaries that have one', () => {
    const texts = createSummaryTexts(contents('no such module'));
    const missing = (event: EventDraft) => texts.missingIn([free, event]);
    expect(missing(without)).toBe('no such module');
    expect(missing(summary({ sizes: { textChars: 1 } }, 'pi.branch.summarized.v1'))).toBe(
      'no such module',
    );
    expect(missing(summary({ sizes: { textChars: 0 } }))).toBeNull();
    expect(missing(summary({ sizes: { textChars: 5 }, summaryText: { text: 'x' } }))).toBeNull();
    expect(missing(summary({ sizes: { textChars: 5 } }, 'pi.prompt.submitted.v1'))).toBeNull();
    texts.begin({ cutMark: 'cut' });
    expect(missing(without)).toBe('no such module');
  });

  it('is not missed where none is wanted', () => {
    const texts = createSummaryTexts(null);
    texts.begin({ cutMark: 'cut' });
    expect([texts.contents, texts.missingIn([without])]).toEqual([null, null]);
  });
});
