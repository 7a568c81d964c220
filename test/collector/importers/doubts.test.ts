/** What is said of an entry that was read, and of which something may be missing in the totals. */
import { describe, expect, it } from 'vitest';
import { createAhead, latestTimeAt } from '../../../collector/importers/ahead.ts';
import { doubtOf, mayCount } from '../../../collector/importers/doubts.ts';
import { createFileClaims } from '../../../collector/importers/file-claims.ts';
import { createSummaryTexts } from '../../../collector/importers/summary-texts.ts';
import type { Contents } from '../../../extension/content/contents.ts';
import type { EventDraft } from '../../../extension/record/draft.ts';
import { type Entry, readEntry } from '../../../extension/record/entry.ts';
import { answer, usage, userSays } from '../../extension/support/fake-session.ts';

const draft = (type: string, data: object = {}, more: object = {}) =>
  ({ id: type, type, time: '2026-11-20T09:00:00.000Z', subject: 's', data, ...more }) as never as EventDraft;
const spending = draft('pi.turn.completed.v1', { spend: { inputTokens: 1 } });
const free = draft('pi.tool.completed.v1', { spend: null });
const claiming = draft('pi.subagent.claimed.v1', { key: 'response:1', entryId: 'e', turnEntryId: 't' });

describe('an entry', () => {
  const entry = (body: object, timestamp = '2026-11-20T09:00:00.000Z') =>
    readEntry({ id: 'e', parentId: null, type: 'custom', timestamp, ...body }) as Entry;
  const elsewhere = { data: { usage: usage(1) } };

  it.each([
    ['an answer', answer('r'), true],
    ['what a user said', userSays(), false],
    ['what has usage somewhere', elsewhere, true],
  ])('without a time is not counted, and may hold spend where it is %s', (_what, body, mayHoldSpend) => {
    const message = 'expected a time such as 2026-11-22T09:00:00.000Z, found 4 characters of something else: not counted';
    expect(doubtOf(entry(body, 'soon'), [])).toEqual({ code: 'no_time', message, mayHoldSpend });
  });

  it('of which nothing comes is no matter where it has a time', () => {
    expect(doubtOf(entry(userSays()), [])).toBeNull();
  });

  it('of which something comes is no matter where it has usage in its place', () => {
    expect(doubtOf(entry(answer('r')), [spending])).toBeNull();
    expect(doubtOf(entry(elsewhere), [free, spending])).toBeNull();
    expect(doubtOf(entry(elsewhere), [claiming])).toBeNull();
    expect(doubtOf(entry({}), [free])).toBeNull();
  });

  it('has usage that nobody counts', () => {
    const message = 'an entry of type custom has usage at /data/usage, where none is known: not counted';
    for (const drafts of [[], [free]])
      expect(doubtOf(entry(elsewhere), drafts)).toEqual({ code: 'usage_in_unknown_place', message, mayHoldSpend: false });
  });

  it('may be in a total with its spend, and with what it claims', () => {
    expect([spending, claiming, free, draft('pi.prompt.submitted.v1')].map(mayCount)).toEqual([true, true, false, false]);
  });
});

describe('an event of a time that is too far ahead', () => {
  const at = (time: string) => draft('pi.turn.completed.v1', {}, { time });
  const dayMs = 24 * 3_600_000;

  it('is held back until it is a day ahead; the first of them says when to read again', () => {
    const latest = '2026-11-20T09:00:00.000Z';
    const ahead = createAhead(latest);
    const [now, later, latestOf] = [at(latest), at('2026-11-22T09:00:00.000Z'), at('2026-11-21T09:00:00.000Z')];
    expect(ahead.sort([now])).toEqual({ taken: [now], held: [] });
    expect(ahead.againAtMs).toBeNull();
    expect(ahead.sort([later, now])).toEqual({ taken: [now], held: [later] });
    expect(ahead.againAtMs).toBe(Date.parse(later.time) - dayMs);
    expect(ahead.sort([latestOf, later])).toEqual({ taken: [], held: [latestOf, later] });
    expect(ahead.againAtMs).toBe(Date.parse(latestOf.time) - dayMs);
    ahead.sort([later]);
    expect(ahead.againAtMs).toBe(Date.parse(latestOf.time) - dayMs);
  });

  it('is one of more than a day from now', () => {
    expect(latestTimeAt(Date.parse('2026-11-20T09:00:00.000Z'))).toBe('2026-11-21T09:00:00.000Z');
  });
});

describe('what a file claims', () => {
  it('is each answer of a subagent by its turn, or by its entry where that hangs below none', () => {
    const claims = createFileClaims();
    const below = draft('pi.subagent.claimed.v1', { key: 'agent:A', entryId: 'e', turnEntryId: null }, { id: 'two', subject: 'owner' });
    const turn = draft('pi.subagent.claimed.v1', { key: 'turn:t', entryId: 'e', turnEntryId: 't' });
    expect(claims.add([spending, claiming, turn, below], 'holder')).toBe(0);
    const rest = { holder: 'holder', time: '2026-11-20T09:00:00.000Z' };
    expect(claims.list).toEqual([
      { key: 'response:1', claimId: 'pi.subagent.claimed.v1', sessionId: 's', turnEntryId: 't', ...rest },
      { key: 'agent:A', claimId: 'two', sessionId: 'owner', turnEntryId: 'e', ...rest },
    ]);
  });

  it('is so much and no more; what has no room is counted', () => {
    const claims = createFileClaims(3);
    expect([claims.add([claiming, claiming], 'h'), claims.add([claiming, claiming], 'h'), claims.add([claiming, free], 'h')]).toEqual([
      0, 1, 1,
    ]);
    expect(claims.list).toHaveLength(3);
  });
});

describe('the text of a summary', () => {
  const contents = (problem: string | null = null) => ({ of: (text: string) => ({ text }), problem: () => problem }) as never as Contents;
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
    expect(missing(summary({ sizes: { textChars: 1 } }, 'pi.branch.summarized.v1'))).toBe('no such module');
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
