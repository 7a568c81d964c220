/** What is left of plans, as the API answers it. */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import type { Quota } from '@pi-ledger/contract/answers';
import { afterEach, describe, expect, it } from 'vitest';
import type { OwnLimit, OwnLimits } from '../../../../collector/answers/quota/limits.ts';
import { openLedger } from '../../../../collector/main.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { attributed, event, turn } from '../../projections/support/given.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

type RateLimit = EventData<'pi.response.received.v1'>['limits'][number];

const day = '2026-11-22';
const now = `${day}T12:00:00.000Z`;
const nowMs = Date.parse(now);
const hourMs = 3_600_000;
const at = (time: string, on = day) => `${on}T${time}:00.000Z`;
const subscribed = { billing: { anthropic: 'subscription' as const } };

const homes = ledgerHomes();
const opened: Ledger[] = [];
afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
});

async function ask(events: readonly LedgerEvent[], limits: OwnLimits = {}): Promise<Quota> {
  const ledger = await openLedger({ ...homes.config(), quota: limits }, { now: () => nowMs });
  opened.push(ledger);
  expect((await post(ledger, events)).json()).toMatchObject({ rejected: [] });
  return (await get(ledger, '/v1/quota')).json();
}

function told(time: string, window: string, said: Partial<RateLimit>, session = 's1') {
  const nothing = { limit: null, remaining: null, utilization: null, resetAtMs: null };
  return event(
    'pi.response.received.v1',
    { at: time, session },
    { provider: 'anthropic', limits: [{ window, status: 'allowed', ...nothing, ...said }] },
  );
}

function ownLimit(wish: Partial<OwnLimit> = {}): OwnLimits {
  const usual = { window: '5h', windowMs: 5 * hourMs, limit: 10, unit: 'messages' } as const;
  return { anthropic: [{ ...usual, starts: 'first use', ...wish }] };
}

const turnsAt = (...times: readonly string[]) => times.map((time) => turn(at(time)));

describe('what a full window buys', () => {
  const spent = (time: string, inputTokens: number) =>
    turn(at(time), { inputTokens, outputTokens: 0, costNanoUsd: inputTokens * 1_000 });
  const saying = (utilization: number) =>
    told(at('11:00'), 'unified-5h', { utilization, resetAtMs: nowMs + hourMs });
  const worthOf = async (events: readonly LedgerEvent[]) =>
    (await ask([attributed(at('06:00'), { user: 'ada', ...subscribed }), ...events])).rows[0]
      ?.worth;

  it('is what was counted in it until the provider spoke, by the share gone then', async () => {
    // The window began at 08:00; what came before it and after the statement does not count.
    const work = [spent('07:59', 9_000), spent('08:00', 300), spent('10:59', 200)];
    expect(await worthOf([...work, spent('11:30', 7_000), saying(0.25)])).toEqual({
      tokens: 2_000,
      listPriceNanoUsd: '2000000',
    });
  });

  it('is not known of a small share, of nothing, or in dollars without a price', async () => {
    expect(await worthOf([spent('09:00', 300), saying(0.04)])).toBeNull();
    expect(await worthOf([saying(0.5)])).toBeNull();
    const unpriced = turn(at('09:00'), { inputTokens: 300, outputTokens: 0, costNanoUsd: null });
    expect(await worthOf([unpriced, saying(0.5)])).toEqual({ tokens: 600, listPriceNanoUsd: null });
  });
});

describe('what providers tell', () => {
  it('is the newest statement of each user and window, and a rate from enough data', async () => {
    const answer = await ask([
      attributed(at('08:00'), { user: 'ada' }),
      attributed(at('08:00'), { user: 'bob' }, 's2'),
      told(at('09:00'), 'unified-5h', { utilization: 0.1, resetAtMs: nowMs + hourMs }),
      told(at('11:00'), 'unified-5h', { utilization: 0.8, resetAtMs: nowMs + hourMs }),
      told(at('11:30'), 'unified-7d', { utilization: 0.25, resetAtMs: nowMs + 100 * hourMs }),
      told(at('10:00'), 'unified-5h', { utilization: 0.5, resetAtMs: nowMs + hourMs }, 's2'),
    ]);
    expect(
      answer.rows.map(({ user, name, usedShare, toldAt }) => [user, name, usedShare, toldAt]),
    ).toEqual([
      ['ada', '5 h', 0.8, at('11:00')],
      ['ada', 'week', 0.25, at('11:30')],
      ['bob', '5 h', 0.5, at('10:00')],
    ]);
    // 0.8 in the three hours from 08:00 to 11:00: the rest takes 45 minutes more.
    expect(answer.rows[0]).toMatchObject({
      source: 'provider',
      startsAt: at('08:00'),
      endsAt: at('13:00'),
      fullAt: at('11:45'),
    });
    expect(answer.rows[1]?.fullAt).toBeNull();
  });

  it('says nothing any more once the window has ended', async () => {
    const { rows } = await ask([
      attributed(at('05:00')),
      told(at('06:00'), 'unified-5h', { utilization: 0.9, resetAtMs: nowMs - hourMs }),
    ]);
    expect(rows).toMatchObject([
      { name: '5 h', usedShare: null, endsAt: null, toldAt: at('06:00') },
    ]);
  });

  it('is a share of the limit where only what remains is told', async () => {
    const { rows } = await ask([
      attributed(at('09:00')),
      told(at('11:00'), 'requests-day', { limit: 200, remaining: 50, resetAtMs: nowMs + hourMs }),
    ]);
    expect(rows).toMatchObject([
      { usedShare: 0.75, used: '150', limit: '200', windowMs: 24 * hourMs },
    ]);
  });

  it('names the windows of each provider by their length', async () => {
    const ends = { utilization: 0.5, resetAtMs: nowMs + 2 * hourMs };
    const { rows } = await ask([
      attributed(at('09:00')),
      told(at('11:00'), 'codex-300m', ends),
      told(at('11:00'), 'codex-10080m', ends),
      told(at('11:00'), 'unified-7d_opus', ends),
      told(at('11:00'), 'codex-primary', ends),
    ]);
    expect(rows.map(({ name, windowMs }) => [name, windowMs])).toEqual([
      ['5 h', 5 * hourMs],
      ['week', 168 * hourMs],
      ['week, opus', 168 * hourMs],
      ['codex-primary', null],
    ]);
  });

  it('leaves out limits of a minute, and windows of which nothing is told', async () => {
    const { rows } = await ask([
      attributed(at('09:00')),
      told(at('11:59'), 'requests', { limit: 100, remaining: 1, resetAtMs: nowMs + 30_000 }),
      told(at('11:59'), 'unified', { resetAtMs: nowMs + hourMs }),
    ]);
    expect(rows).toEqual([]);
  });
});

describe("one's own limit", () => {
  it('counts from the first use after the previous window, to the minute', async () => {
    const used = turnsAt('00:30', '04:59', '05:31', '05:40', '10:30', '10:32', '11:00');
    // From 00:30 to 05:30, from 05:31 to 10:31, and from 10:32 on.
    const { rows } = await ask([attributed(at('00:00'), subscribed), ...used], ownLimit());
    expect(rows).toMatchObject([
      {
        source: 'limit',
        used: '2',
        limit: '10',
        usedShare: 0.2,
        startsAt: at('10:32'),
        endsAt: at('15:32'),
        isStartEstimated: false,
        isAtLeast: false,
      },
    ]);
  });

  it('has not begun where nothing was used since the last window', async () => {
    const given = [attributed(at('00:00'), subscribed), ...turnsAt('01:00', '02:00')];
    expect((await ask(given, ownLimit())).rows).toMatchObject([
      { used: '0', usedShare: 0, startsAt: null, endsAt: null, fullAt: null },
    ]);
  });

  it('estimates the start where no pause as long as a window is known', async () => {
    const hourly = Array.from({ length: 40 * 24 }, (_, hour) =>
      turn(new Date(nowMs - hour * hourMs - 60_000).toISOString()),
    );
    const started = attributed(new Date(nowMs - 50 * 24 * hourMs).toISOString(), subscribed);
    expect((await ask([started, ...hourly], ownLimit())).rows).toMatchObject([
      { isStartEstimated: true },
    ]);
  });

  it('rolls: the last hours at any moment, to the minute', async () => {
    const used = turnsAt('06:59', '07:00', '08:00', '11:59');
    const limits = ownLimit({ starts: 'rolling', window: '5h' });
    const given = [attributed(at('06:00'), subscribed), ...used];
    expect((await ask(given, limits)).rows).toMatchObject([
      { used: '3', startsAt: at('07:00'), endsAt: null, fullAt: null },
    ]);
  });

  it('rolls: full when use goes on at the latest rate, and old use has dropped out', async () => {
    const limits = ownLimit({ starts: 'rolling', limit: 10 });
    const fullAt = async (...times: readonly string[]) => {
      const given = [attributed(at('06:00'), subscribed), ...turnsAt(...times)];
      return (await ask(given, limits)).rows[0]?.fullAt;
    };
    // Two in the last hour: 4 + 2 + 2 + 2 = 10 after three hours.
    expect(await fullAt('10:10', '10:20', '11:10', '11:20')).toBe(at('15:00'));
    // The first four drop out before that.
    expect(await fullAt('07:10', '07:20', '08:10', '08:20', '11:10')).toBeNull();
    // Nothing in the last hour: nothing goes on.
    expect(await fullAt('10:10', '10:20', '10:30')).toBeNull();
  });

  it('is in tokens, or in list-price dollars that name what they leave out', async () => {
    const given = [
      attributed(at('10:00'), subscribed),
      turn(at('10:00'), { inputTokens: 1_000, outputTokens: 200, costNanoUsd: 1_500_000_000 }),
      turn(at('11:00'), { cacheReadTokens: 300, costNanoUsd: null, costSource: 'unpriced' }),
    ];
    const tokens = ownLimit({ unit: 'tokens', limit: 6_004 });
    expect((await ask(given, tokens)).rows).toMatchObject([
      { used: '1501', usedShare: 0.25, isAtLeast: false },
    ]);
    const dollars = ownLimit({ unit: 'list-price dollars', limit: 3 });
    expect((await ask(given, dollars)).rows).toMatchObject([
      { used: '1.5', usedShare: 0.5, isAtLeast: true, unpricedRecords: 1 },
    ]);
  });

  it('counts what a subscription covers, and says what may be covered', async () => {
    const given = [
      attributed(at('10:00'), { billing: { anthropic: 'metered' } }),
      turn(at('10:01')),
      attributed(at('10:00'), { billing: {} }, 's2'),
      turn(at('10:02'), {}, 's2'),
      attributed(at('10:00'), subscribed, 's3'),
      turn(at('10:03'), {}, 's3'),
      turn(at('10:04'), { provider: 'openai' }, 's3'),
    ];
    expect((await ask(given, ownLimit())).rows).toMatchObject([
      { used: '1', unknownBillingRecords: 1, isAtLeast: true },
    ]);
  });

  it('gives way to what the provider tells of a window as long, while it holds', async () => {
    const given = [attributed(at('10:00'), subscribed), ...turnsAt('10:30')];
    const holds = told(at('11:00'), 'unified-5h', { utilization: 0.5, resetAtMs: nowMs + hourMs });
    const ended = told(at('11:00'), 'unified-5h', { utilization: 0.5, resetAtMs: nowMs - hourMs });
    const sources = async (...more: readonly LedgerEvent[]) =>
      (await ask([...given, ...more], ownLimit())).rows.map(({ source }) => source);
    expect(await sources(holds)).toEqual(['provider']);
    expect(await sources(ended)).toEqual(['limit']);
  });
});
