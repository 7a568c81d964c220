import { describe, expect, it } from 'vitest';
import { type Entry, readEntry } from '../../../core/record/entry.ts';
import {
  isPrivate,
  makesKnown,
  type Privacy,
  privacyAt,
  readMark,
} from '../../../core/record/privacy.ts';

function entry(body: Record<string, unknown>): Entry {
  const read = readEntry({
    id: 'e1',
    parentId: null,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...body,
  });
  if (read === null) throw new Error('not an entry');
  return read;
}

const mark = (data: unknown) => entry({ type: 'custom', customType: 'pi-ledger.recording', data });
const paused = mark({ state: 'paused' });
const resumed = mark({ state: 'resumed', entries: 3 });
const prompt = entry({ type: 'message', message: { role: 'user', content: 'hi' } });
const answer = entry({ type: 'message', message: { role: 'assistant', content: [] } });
const result = entry({ type: 'message', message: { role: 'toolResult', toolCallId: 'c1' } });
const model = entry({ type: 'model_change', provider: 'p', modelId: 'm' });
const thinking = entry({ type: 'thinking_level_change', thinkingLevel: 'low' });

describe('a mark of ours', () => {
  it('says that recording pauses, or that it goes on after so many private entries', () => {
    expect(readMark(paused)).toEqual({ state: 'paused', entries: null });
    expect(readMark(resumed)).toEqual({ state: 'resumed', entries: 3 });
    expect(readMark(mark({ state: 'resumed' }))).toEqual({ state: 'resumed', entries: null });
  });

  it.each([
    ['another extension’s', { type: 'custom', customType: 'other', data: { state: 'paused' } }],
    [
      'another kind of entry',
      { type: 'label', customType: 'pi-ledger.recording', data: { state: 'paused' } },
    ],
    ['without data', { type: 'custom', customType: 'pi-ledger.recording' }],
    [
      'in a state of its own',
      { type: 'custom', customType: 'pi-ledger.recording', data: { state: 'late' } },
    ],
  ])('is no entry that is %s', (_which, body) => {
    expect(readMark(entry(body))).toBeNull();
  });
});

describe('what is private', () => {
  /** One letter for each entry: private, or recorded. The marks themselves are recorded. */
  function told(...entries: Entry[]): string {
    let privacy: Privacy = 'none';
    return entries
      .map((each) => {
        privacy = privacyAt(privacy, each);
        return isPrivate(privacy, each) ? 'p' : 'r';
      })
      .join('');
  }

  it('is what stands between the two marks', () => {
    expect(told(prompt, paused, prompt, answer, resumed, prompt)).toBe('rrpprr');
  });

  it('goes on with the results of tools that still ran, until anything else', () => {
    expect(told(paused, answer, resumed, result, result, prompt, result)).toBe('rprpprr');
  });

  it('is nothing in a session that is never paused', () => {
    expect(told(prompt, answer, result)).toBe('rrr');
  });

  it('begins again with the next pause', () => {
    expect(told(paused, resumed, result, paused, prompt, result)).toBe('rrprpp');
  });
});

describe('a session', () => {
  it('is known by its messages, and neither by settings nor by marks of ours', () => {
    const known = [prompt, answer, model, thinking, paused, resumed].map(makesKnown);
    expect(known).toEqual([true, true, false, false, false, false]);
  });
});
