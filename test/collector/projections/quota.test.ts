import type { EventData } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quota, sharesIn, statementsIn } from '../../../collector/projections/quota.ts';
import { inTwoOrders } from './support/any-event.ts';
import { fold } from './support/fold.ts';
import { event, turn } from './support/given.ts';

type RateLimit = EventData<'pi.response.received.v1'>['limits'][number];

const at = '2026-11-22T09:00:00.000Z';
const later = '2026-11-22T09:30:00.000Z';

function told(time: string, window: string, said: Partial<RateLimit> = {}, provider = 'anthropic') {
  const nothing = { limit: null, remaining: null, resetAtMs: null, status: null };
  return event(
    'pi.response.received.v1',
    { at: time },
    { provider, limits: [{ window, utilization: 0.1, ...nothing, ...said }] },
  );
}

const statementsOf = (events: Parameters<typeof fold>[1]) =>
  [...fold(quota, events).states.values()].flatMap(({ statements }) => [...statements.values()]);

describe('quota', () => {
  it('keeps the newest statement of each provider and window, whatever comes last', () => {
    const given = [
      told(later, 'unified-5h', { utilization: 0.6, status: 'allowed_warning' }),
      told(at, 'unified-5h', { utilization: 0.4 }),
      told(at, 'unified-7d', { utilization: 0.2 }),
      told(at, 'unified-5h', { utilization: 0.9 }, 'other'),
    ];
    expect(
      statementsOf(given).map((each) => [each.provider, each.window, each.utilization, each.time]),
    ).toEqual([
      ['anthropic', 'unified-5h', 0.6, later],
      ['anthropic', 'unified-7d', 0.2, at],
      ['other', 'unified-5h', 0.9, at],
    ]);
    expect(quota.columnsOf([...fold(quota, given).states.values()][0] ?? fail())).toEqual({
      toldAt: later,
    });
  });

  it('keeps what is told of no known provider', () => {
    const given = told(at, 'unified-5h');
    const data = { ...given.data, provider: null } as never;
    expect(statementsOf([{ ...given, data }])).toMatchObject([{ provider: '' }]);
  });

  it('has no document of a session whose responses said nothing of limits', () => {
    const silent = event('pi.response.received.v1', { at }, { status: 529, limits: [] });
    expect(fold(quota, [silent, turn(at)]).states.size).toBe(0);
  });

  it('keeps those last heard of, of more windows than any provider has', () => {
    const many = Array.from({ length: 80 }, (_, index) =>
      told(`2026-11-22T09:${String(index % 60).padStart(2, '0')}:00.000Z`, `window-${index}`),
    );
    const [one, other] = [statementsOf(many), statementsOf(many.toReversed())];
    expect(one).toHaveLength(64);
    expect(Math.min(...one.map(({ time }) => Date.parse(time)))).toBe(
      Date.parse('2026-11-22T09:08:00.000Z'),
    );
    expect(new Set(other.map(({ window }) => window))).toEqual(
      new Set(one.map(({ window }) => window)),
    );
  });

  it('gives the same documents, whatever the order of events and however often it is read', () => {
    const anyTold = fc
      .record({
        time: fc.constantFrom(at, later, '2026-11-22T10:00:00.000Z'),
        window: fc.constantFrom('unified-5h', 'unified-7d', 'requests'),
        provider: fc.constantFrom('anthropic', 'openai'),
        utilization: fc.constantFrom(null, 0.1, 0.5),
        resetAtMs: fc.constantFrom(null, 1_795_312_800_000),
      })
      .map(({ time, window, provider, ...said }) => told(time, window, said, provider));
    fc.assert(
      fc.property(inTwoOrders(anyTold), ([given, shuffled]) => {
        expect(fold(quota, shuffled, { isReloaded: true }).documents()).toEqual(
          fold(quota, given).documents(),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('is opened again after its history was sealed', () => {
    const resetAtMs = Date.parse(later);
    const [state] = fold(quota, [told(at, 'unified-5h', { resetAtMs })]).states.values();
    expect(state?.windows.size).toBe(1);
    expect(state && quota.sealing?.open(quota.encode(state), 2)).toEqual(state);
    expect(quota.sealing?.open('{}', 3)).toBeNull();
  });

  it('is read in two parts: what was said last, and how full windows were', () => {
    const given = [
      told(at, 'unified-5h', { utilization: 0.5, resetAtMs: Date.parse(later) }),
      told(at, 'requests', { utilization: 0.1 }),
    ];
    const [body = ''] = Object.values(fold(quota, given).documents());
    expect(statementsIn(body).map(({ window }) => window)).toEqual(['requests', 'unified-5h']);
    expect(sharesIn(body)).toMatchObject([
      { window: 'unified-5h', hours: [[expect.any(Number), 500_000]] },
    ]);
    expect(sharesIn('{"session":"s","statements":[]}')).toEqual([]);
  });

  it('knows of no windows over time where its history was sealed before', () => {
    const [state] = fold(quota, [told(at, 'unified-5h')]).states.values();
    const before = JSON.stringify({ session: state?.session, statements: [] });
    expect(quota.sealing?.open(before, 1)?.windows).toEqual(new Map());
  });
});

function fail(): never {
  throw new Error('no document');
}
