import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitsIn } from '../../../../extension/live/limits/rate-limits.ts';
import { problemsOf } from '../../support/schemas.ts';

const nowMs = Date.UTC(2026, 10, 21, 21, 12, 20);
const nothing = { limit: null, remaining: null, utilization: null, resetAtMs: null, status: null };

describe('the limits in the headers of a response', () => {
  it('are read in Anthropic’s form: requests, tokens, and the windows of a plan', () => {
    const told = limitsIn(
      {
        'anthropic-ratelimit-requests-limit': '4000',
        'anthropic-ratelimit-requests-remaining': '3999',
        'anthropic-ratelimit-requests-reset': '2026-11-21T21:12:21Z',
        'anthropic-ratelimit-input-tokens-remaining': '1999000',
        'anthropic-ratelimit-unified-status': 'allowed_warning',
        'anthropic-ratelimit-unified-5h-status': 'allowed',
        'anthropic-ratelimit-unified-5h-utilization': '0.42',
        'anthropic-ratelimit-unified-5h-reset': '1795312800',
        'anthropic-ratelimit-unified-7d_sonnet-utilization': '1.01',
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      },
      nowMs,
    );
    expect(told).toEqual({
      retryAfterMs: null,
      limits: [
        {
          ...nothing,
          window: 'requests',
          limit: 4_000,
          remaining: 3_999,
          resetAtMs: nowMs + 1_000,
        },
        { ...nothing, window: 'input-tokens', remaining: 1_999_000 },
        { ...nothing, window: 'unified', status: 'allowed_warning' },
        {
          ...nothing,
          window: 'unified-5h',
          status: 'allowed',
          utilization: 0.42,
          resetAtMs: 1_795_312_800_000,
        },
        { ...nothing, window: 'unified-7d_sonnet', utilization: 1.01 },
      ],
    });
  });

  it('are read in the form of ChatGPT plans: share, length and end of two windows', () => {
    const codex = (window: Record<string, string>) =>
      limitsIn(
        Object.fromEntries(
          Object.entries(window).map(([name, value]) => [`X-Codex-Primary-${name}`, value]),
        ),
        nowMs,
      ).limits;
    const told = limitsIn(
      {
        'x-codex-primary-used-percent': '42.5',
        'x-codex-primary-window-minutes': '300',
        'x-codex-primary-reset-at': '1795312800',
        'x-codex-secondary-used-percent': '7',
        'x-codex-secondary-window-minutes': '10080',
        'x-codex-secondary-reset-after-seconds': '60',
        'x-codex-plan-type': 'S3CRET',
      },
      nowMs,
    );
    expect(told.limits).toEqual([
      {
        ...nothing,
        window: 'codex-300m',
        utilization: 0.425,
        resetAtMs: 1_795_312_800_000,
      },
      { ...nothing, window: 'codex-10080m', utilization: 0.07, resetAtMs: nowMs + 60_000 },
    ]);
    expect(codex({ 'Used-Percent': '100' })).toEqual([
      { ...nothing, window: 'codex-primary', utilization: 1 },
    ]);
    expect(codex({ 'Used-Percent': '100', 'Window-Minutes': '1.5' })[0]?.window).toBe(
      'codex-primary',
    );
    expect(codex({ 'Used-Percent': '0', 'Window-Minutes': '0' })).toEqual([]);
    expect(codex({ 'Used-Percent': 'much', 'Window-Minutes': '300' })).toEqual([]);
  });

  it('are read in OpenAI’s form, with resets in each spelling', () => {
    const resets = (value: string) =>
      limitsIn({ 'X-RateLimit-Reset-Tokens': value }, nowMs).limits[0]?.resetAtMs ?? null;
    expect(
      limitsIn(
        { 'x-ratelimit-limit-requests': '100', 'x-ratelimit-remaining-requests': '99' },
        nowMs,
      ).limits,
    ).toEqual([{ ...nothing, window: 'requests', limit: 100, remaining: 99 }]);
    expect(
      limitsIn({ 'x-ratelimit-remaining': '7', 'x-ratelimit-remaining-tokens-minute': '8' }, nowMs)
        .limits,
    ).toEqual([
      { ...nothing, window: 'default', remaining: 7 },
      { ...nothing, window: 'tokens-minute', remaining: 8 },
    ]);
    expect(
      ['6m0s', '1.5s', '20ms', '1d2h', '30', '1795312800', '1795312800123'].map(resets),
    ).toEqual([
      nowMs + 360_000,
      nowMs + 1_500,
      nowMs + 20,
      nowMs + 93_600_000,
      nowMs + 30_000,
      1_795_312_800_000,
      1_795_312_800_123,
    ]);
    expect(['', 'soon', '-5', '1e9', 'Infinity', '99999999999999999999'].map(resets)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('say how long to wait, in seconds, in milliseconds or until a time', () => {
    const wait = (headers: object) => limitsIn(headers, nowMs).retryAfterMs;
    expect(wait({ 'retry-after': '12' })).toBe(12_000);
    expect(wait({ 'retry-after': 'Sat, 21 Nov 2026 21:12:50 GMT' })).toBe(30_000);
    expect(wait({ 'retry-after': 'Sat, 21 Nov 2026 21:12:00 GMT' })).toBe(0);
    expect(wait({ 'retry-after-ms': '250.5' })).toBe(250.5);
    expect(wait({ 'retry-after': 'req_011CSecret' })).toBeNull();
  });

  it('are all that comes out: no request id, key, cookie, account, nor any other word', () => {
    const secret = 'S3CRET';
    const told = limitsIn(
      {
        'request-id': `req_${secret}`,
        'x-request-id': secret,
        'set-cookie': `session=${secret}`,
        authorization: `Bearer ${secret}`,
        'anthropic-organization-id': secret,
        'anthropic-ratelimit-requests-remaining': secret,
        'anthropic-ratelimit-unified-status': secret,
        [`x-ratelimit-remaining-${secret}`]: '1',
        'x-ratelimit-remaining-acme': '1',
        'anthropic-ratelimit-org_9f3c21-remaining': '1',
        'x-ratelimit-reset-requests': secret,
      },
      nowMs,
    );
    expect(told).toEqual({ retryAfterMs: null, limits: [] });
  });

  it('fit the contract, whatever the headers are', () => {
    const names = fc.constantFrom('x-ratelimit-', 'anthropic-ratelimit-', 'retry-after', '');
    const middles = fc.constantFrom(
      'limit',
      'remaining',
      'reset',
      'status',
      'unified-5h-utilization',
      'requests-reset',
      'tokens-limit',
    );
    const windows = fc.constantFrom('', '-requests', '-tokens', '-7d', '-minute', '-tokens-day');
    const key = fc.oneof(
      fc.tuple(names, middles, windows).map((parts) => parts.join('')),
      fc
        .integer({ min: 0, max: 99 })
        .map((days) => `anthropic-ratelimit-unified-${days}d-remaining`),
    );
    const value = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.nat().map(String),
      fc.constantFrom('1h', '9999-12-31T23:59:59Z', '0'),
    );
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.oneof(value, fc.anything()), { maxKeys: 60 }),
        (headers) => {
          const data = {
            ...{ leafEntryId: null, promptEntryId: null, provider: null, model: null, status: 200 },
            ...limitsIn(headers, nowMs),
          };
          const event = {
            id: '01a1fff4-fc7f-7000-8000-000000000000',
            time: '2026-01-01T00:00:00.000Z',
            subject: 's',
          };
          expect(problemsOf({ ...event, type: 'pi.response.received.v1', data })).toEqual([]);
        },
      ),
    );
  });
});
