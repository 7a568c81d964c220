import { describe, expect, it } from 'vitest';
import {
  planWindow,
  shareOf,
  windowLengthMs,
} from '../../../../collector/projections/quota/statement.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('a window', () => {
  it.each([
    ['unified-5h', 5 * hourMs, null],
    ['unified-7d', 7 * dayMs, null],
    ['unified-7d_sonnet', 7 * dayMs, 'sonnet'],
    ['unified-7d-opus-4', 7 * dayMs, 'opus-4'],
    ['codex-300m', 300 * minuteMs, null],
    ['codex-10080m', 7 * dayMs, null],
  ])('of a plan has its length in its name: %s', (window, lengthMs, rest) => {
    expect(planWindow(window)).toEqual({ lengthMs, rest });
    expect(windowLengthMs(window)).toBe(lengthMs);
  });

  it.each(['unified', 'unified-5', 'unified-5h7', 'my-unified-5h', 'unified-123456m', 'requests'])(
    'of no plan: %s',
    (window) => expect(planWindow(window)).toBeNull(),
  );

  it.each([
    ['requests-day', dayMs],
    ['tokens_minute', minuteMs],
    ['hour', hourMs],
    ['requests-week', 7 * dayMs],
    ['requests-second', 1_000],
    ['requests', null],
    ['day-requests', null],
  ])('of an interface may have it at the end of its name: %s', (window, lengthMs) => {
    expect(windowLengthMs(window)).toBe(lengthMs);
  });
});

it('a share is what the provider says, or follows from what is left', () => {
  const nothing = { window: 'requests', resetAtMs: null, status: null };
  const share = (utilization: number | null, limit: number | null, remaining: number | null) =>
    shareOf({ ...nothing, utilization, limit, remaining });
  expect([share(0.5, 10, 1), share(0, null, null)]).toEqual([0.5, 0]);
  expect([share(null, 10, 1), share(null, 10, 11)]).toEqual([0.9, 0]);
  expect([share(null, 10, null), share(null, null, 1), share(null, 0, 0)]).toEqual([
    null,
    null,
    null,
  ]);
});
