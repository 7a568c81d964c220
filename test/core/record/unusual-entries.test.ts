/** Failed, unknown and damaged entries. */
import { describe, expect, it } from 'vitest';
import { recorded as drafts } from './support/recorded.ts';

describe('recordEntry on unusual entries', () => {
  const usage = {
    input: 10,
    output: 2,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 12,
    cost: { total: 0.001 },
  };

  it('records a failed attempt as unreported', () => {
    const message = {
      role: 'assistant',
      content: [],
      stopReason: 'error',
      errorStatus: 529,
      errorMessage: 'private words',
      usage: { input: 0 },
    };
    const made = drafts({ type: 'message', message });
    expect(made).toMatchObject([
      {
        data: {
          stopReason: 'error',
          errorStatus: 529,
          spend: { reported: false, costNanoUsd: null },
        },
      },
    ]);
    expect(JSON.stringify(made)).not.toContain('private words');
  });

  it.each(['custom', 'label', 'session_info', 'title_change', 'session_init', 'mode_change'])(
    'gives no event for a %s entry',
    (type) => {
      expect(drafts({ type, data: { secret: 1 }, label: 'x', task: 'y' })).toEqual([]);
    },
  );

  it.each([
    '2026-11-22T01:00:00.000Z',
    '2026-11-22T01:00:00Z',
    '2026-11-22T01:00:00.000+02:00',
    '2026-02-30T01:00:00.000Z',
    '2026-01-31T24:00:00.000Z',
    '2026-01-29T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
    '+002026-01-01T00:00:00.000Z',
    'Sun, 22 Nov 2026 01:00:00 GMT',
  ])('writes the time %s as all events do', (timestamp) => {
    const [draft] = drafts({ type: 'message', message: { role: 'user', content: 'x' }, timestamp });
    const ms = Date.parse(timestamp);
    expect(draft?.time ?? null).toBe(Number.isNaN(ms) ? null : new Date(ms).toISOString());
  });

  it('gives no event for an entry without a readable time', () => {
    expect(drafts({ type: 'usage', usage, timestamp: 'yesterday' })).toEqual([]);
  });

  it.each([
    undefined,
    null,
    'x',
    7,
    [],
    { role: 7 },
    { role: 'assistant', content: 'x', usage: 'y', timestamp: 'z', toolCalls: 3 },
  ])('stays valid with the message %j', (message) => {
    expect(drafts({ type: 'message', message }).length).toBeGreaterThan(0);
  });
});
