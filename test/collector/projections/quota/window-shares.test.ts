import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../../collector/projections/quota/statement.ts';
import {
  noteShare,
  type SharesByWindow,
  sharesByWindow,
  storedShares,
} from '../../../../collector/projections/quota/window-shares.ts';

const hourMs = 3_600_000;
const startMs = Date.parse('2026-11-22T09:00:00.000Z');
const hour = startMs / hourMs;

/** `at`: in hours after nine. */
function said(at: number, wish: Partial<Statement> = {}): Statement {
  return {
    time: new Date(startMs + at * hourMs).toISOString(),
    provider: 'anthropic',
    window: 'unified-5h',
    limit: null,
    remaining: null,
    utilization: 0.5,
    resetAtMs: startMs + 5 * hourMs,
    status: 'allowed',
    ...wish,
  };
}

function noted(...statements: readonly Statement[]) {
  const windows: SharesByWindow = new Map();
  for (const statement of statements) noteShare(windows, statement);
  return storedShares(windows);
}

describe('how full windows were', () => {
  it('is the most that was told in each hour', () => {
    const windows = noted(
      said(0, { utilization: 0.1 }),
      said(0.9, { utilization: 0.25 }),
      said(0.5, { utilization: 0.2 }),
      said(2, { utilization: 0.625 }),
    );
    expect(windows).toEqual([
      {
        provider: 'anthropic',
        window: 'unified-5h',
        endMinute: (startMs + 5 * hourMs) / 60_000,
        hours: [
          [hour, 250_000],
          [hour + 2, 625_000],
        ],
      },
    ]);
  });

  it('is told of each window by itself: of another provider, kind or end', () => {
    const windows = noted(
      said(0),
      said(0, { provider: 'openai' }),
      said(0, { window: 'unified-7d' }),
      said(0, { resetAtMs: startMs + 4 * hourMs }),
    );
    expect(windows).toHaveLength(4);
  });

  it('follows from what is left where no share is told', () => {
    const amounts = { utilization: null, limit: 200, remaining: 50 };
    expect(noted(said(0, amounts))[0]?.hours).toEqual([[hour, 750_000]]);
  });

  it('is full where the plan refuses, whatever share is told', () => {
    const share = (utilization: number | null) =>
      noted(said(0, { utilization, status: 'rejected' }))[0]?.hours[0]?.[1];
    expect([share(0.99), share(null), share(1.25)]).toEqual([1_000_000, 1_000_000, 1_250_000]);
  });

  it('is not known of what is no window of a plan, or has another end', () => {
    expect(
      noted(
        said(0, { utilization: null }),
        said(0, { resetAtMs: null }),
        said(0, { utilization: 0 }),
        said(0, { window: 'requests' }),
        said(0, { window: 'requests-day' }),
        said(0, { window: 'codex-59m', resetAtMs: startMs + 59 * 60_000 }),
        said(0, { window: 'requests-minute', resetAtMs: startMs + 60_000 }),
        said(0, { resetAtMs: startMs - 1 }),
        said(0, { resetAtMs: startMs + 6 * hourMs + 1 }),
      ),
    ).toEqual([]);
    expect(noted(said(0, { window: 'codex-60m', resetAtMs: startMs + 1 }))).toHaveLength(1);
    expect(
      noted(said(0, { resetAtMs: startMs }), said(0, { resetAtMs: startMs + 6 * hourMs })),
    ).toHaveLength(2);
  });

  it('keeps the latest hours of more than a session has', () => {
    const week = (at: number, utilization = 0.5) =>
      said(at, { window: 'unified-7d', utilization, resetAtMs: startMs + (at + 100) * hourMs });
    const all = Array.from({ length: 1_030 }, (_, at) => week(at));
    const latest = noted(...all);
    expect(latest).toHaveLength(1_024);
    expect(Math.min(...latest.map(({ hours }) => hours[0]?.[0] ?? 0))).toBe(hour + 6);
    expect(noted(...all.toReversed())).toEqual(latest);
  });

  it('keeps the rest of a window whose oldest hours it drops', () => {
    const long = Array.from({ length: 8 }, (_, at) =>
      said(at * 8, { window: 'unified-7d', resetAtMs: startMs + 100 * hourMs }),
    );
    const others = Array.from({ length: 1_020 }, (_, at) =>
      said(20, { window: `unified-5h_m${at}`, resetAtMs: startMs + 21 * hourMs }),
    );
    const week = noted(...long, ...others).find(({ window }) => window === 'unified-7d');
    expect(week?.hours.map(([at]) => at - hour)).toEqual([24, 32, 40, 48, 56]);
  });

  it('is the same in any order, and when it was stored in between', () => {
    const anySaid = fc
      .record({
        at: fc.integer({ min: 0, max: 4 }),
        utilization: fc.constantFrom(null, 0, 0.1, 0.5, 1),
        window: fc.constantFrom('unified-5h', 'unified-7d', 'tokens'),
        endsIn: fc.integer({ min: 0, max: 5 }),
      })
      .map(({ at, endsIn, ...wish }) =>
        said(at, { ...wish, resetAtMs: startMs + endsIn * hourMs }),
      );
    fc.assert(
      fc.property(fc.array(anySaid), fc.nat(10), (given, middle) => {
        const whole = noted(...given);
        expect(noted(...given.toReversed())).toEqual(whole);
        const windows = sharesByWindow(noted(...given.slice(0, middle)));
        for (const statement of given.slice(middle)) noteShare(windows, statement);
        expect(storedShares(windows)).toEqual(whole);
      }),
    );
  });
});
