import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { liveEventId } from '../../../../core/record/identity/event-id.ts';
import { sessionFile } from '../../../extension/support/sessions.ts';
import { compactedSession, compactedStory, large } from '../../support/compacted.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';
import { eventsOfFile } from './given.ts';

const { holding } = ledgerHomes();

/** As a host records it: the id contains the event's time. */
function recorded(event: LedgerEvent): LedgerEvent {
  return { ...event, id: liveEventId(Date.parse(event.time)) };
}

const sumOf = (parts: readonly { tokens: number }[]) =>
  parts.reduce((sum, { tokens }) => sum + tokens, 0);

describe('GET /v1/context/:session', () => {
  it('has the saw-tooth of a recorded session, and no figure after the compaction', async () => {
    const ledger = await holding(eventsOfFile(sessionFile('pi15/json-autocompact')));
    const answer = (await get(ledger, '/v1/context/last')).json();
    expect(answer.points.map(({ tokens }: { tokens: number }) => tokens)).toEqual([
      9_000,
      null,
      2_100,
      2_100,
      1_410,
      2_420,
      3_430,
      4_440,
      5_450,
    ]);
    expect(answer.points.map(({ turn }: { turn: number }) => turn)).toEqual([
      1, 1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    expect(answer).toMatchObject({
      ...{ turns: 8, pointsInAll: 9, factsLeftOut: 0 },
      now: { tokens: 5_450, source: 'provider', threshold: null, untilThresholdTokens: null },
      forecast: { turnsLeft: null },
      compactions: [{ entryId: 'a70dd6a6', tokensBefore: 9_600, tokensAfterMeasured: 2_100 }],
      compactionTotals: { compactions: 1, savedTokens: 7_500 },
    });
  });

  it('forecasts from the branch that the session is on', async () => {
    const story = compactedStory({ id: 'shop-1' }).goTo('shop-1-t3');
    for (let turn = 1; turn <= 3; turn++)
      story.turn(`left-${turn}`, { ...large, inputTokens: 100 * turn, cacheReadTokens: 2_000 });
    story.goTo('shop-1-t3');
    for (let turn = 1; turn <= 3; turn++)
      story.turn(`now-${turn}`, { ...large, inputTokens: 400 * turn, cacheReadTokens: 1_500 });
    const { forecast } = (await get(await holding(story.events), '/v1/context/shop-1')).json();
    // From 1,510 (t3), 1,910, 2,310 to 2,710; the other branch had 2,110 to 2,310.
    expect(forecast).toMatchObject({
      growthTokens: 400,
      turnsLeft: Math.ceil((12_000 - 2_710) / 400),
    });
  });

  it('says what fills the window, how far it is to the threshold, and the sources', async () => {
    const story = compactedStory({ id: 'shop-1' }).turn('t4', { ...large, cacheReadTokens: 8_000 });
    const answer = (await get(await holding(story.events), '/v1/context/shop-1')).json();
    expect(answer.now).toMatchObject({
      ...{
        tokens: 8_100,
        heldTokens: 8_110,
        source: 'provider',
        model: 'sonnet',
        untilThresholdTokens: 12_000 - 8_110,
      },
      threshold: {
        windowTokens: 20_000,
        reserveTokens: 8_000,
        thresholdTokens: 12_000,
        source: 'host',
      },
    });
    expect(answer.composition).toMatchObject({ at: 't4', totalTokens: 8_100, source: 'provider' });
    expect(sumOf(answer.composition.parts)).toBe(8_100);
    expect(answer.composition.parts).toContainEqual({
      kind: 'toolResults',
      name: 'read',
      tokens: 1_010,
    });
    expect(answer.largestResults.slice(0, 2)).toMatchObject([
      { toolName: 'read', paths: ['src/a.ts'], tokens: 1_000, isInContext: false },
      { toolName: 'read', paths: ['src/a.ts'], tokens: 1_000, isInContext: true },
    ]);
    expect(answer.cacheMisses).toMatchObject({
      ...{ count: 1, missedTokens: 500, unpriced: 1 },
      byReason: [{ reason: 'compaction', count: 1 }],
      worst: {
        metered: [],
        unknown: [],
        subscription: [{ entryId: 'shop-1-t2', fromTokens: 9_000, toTokens: 1_000 }],
      },
    });
  });

  it('gives the composition at any entry', async () => {
    const ledger = await holding(compactedSession({ id: 'shop-1' }));
    const at = async (entry: string) =>
      (await get(ledger, `/v1/context/shop-1?at=${entry}`)).json().composition;
    expect(await at('shop-1-t1')).toMatchObject({
      at: 'shop-1-t1',
      totalTokens: 9_100,
      source: 'provider',
    });
    // Before the first answer: the prompt, and the system prompt and tools as the live host
    // reported them.
    expect(await at('shop-1-u1')).toMatchObject({
      ...{ totalTokens: 2_450 + 1_327 + 100, source: 'estimate' },
      parts: [
        { kind: 'system', tokens: 2_450 },
        { kind: 'toolDefinitions', tokens: 1_327 },
        { kind: 'user', tokens: 100 },
      ],
    });
    const missing = await get(ledger, '/v1/context/shop-1?at=nobody');
    expect([missing.status, missing.json().field]).toEqual([400, 'at']);
  });

  it('follows the session, also with late events', async () => {
    const story = compactedStory({ id: 'shop-1' });
    const ledger = await holding(story.events);
    const before = (await get(ledger, '/v1/context/shop-1')).json();
    const [count, late] = [
      story.events.length,
      compactedStory({ id: 'shop-1', secondsLater: -3_600 }).user('late-u').turn('late-t', large),
    ];
    story.wait(1_200).turn('t9', { ...large, cacheReadTokens: 12_000 });
    await post(ledger, [...story.events.slice(count), ...late.events.slice(-2)]);
    const after = (await get(ledger, '/v1/context/shop-1')).json();
    expect(after.now.tokens).toBe(12_100);
    expect(after.turns).toBe(before.turns + 2);
    const fresh = await holding(story.events, late.events.slice(-2));
    expect((await get(fresh, '/v1/context/shop-1')).json()).toEqual(after);
  });

  it('has as many points as requested, always including compactions', async () => {
    const story = compactedStory({ id: 'long' });
    for (let turn = 0; turn < 200; turn++)
      story.turn(`more-${turn}`, { ...large, cacheReadTokens: 5_000 + turn * 10 });
    const ledger = await holding(story.events);
    const few = (await get(ledger, '/v1/context/long?points=20')).json();
    expect(few.points.length).toBeLessThanOrEqual(20);
    expect(few.pointsInAll).toBe(205);
    expect(few.points.filter(({ kind }: { kind: string }) => kind === 'compaction')).toHaveLength(
      2,
    );
    expect(few.points.at(-1)).toMatchObject({ turn: 203 });
  });

  it.each([
    ['points=9', 'points'],
    ['points=5001', 'points'],
    ['points=many', 'points'],
    ['at=', 'at'],
    ['colour=red', 'colour'],
  ])('refuses %s by its name', async (query, field) => {
    const answer = await get(
      await holding(compactedSession({ id: 'shop-1' })),
      `/v1/context/shop-1?${query}`,
    );
    expect([answer.status, answer.json().code, answer.json().field]).toEqual([
      400,
      'bad_parameter',
      field,
    ]);
  });

  it('answers the same after a seal and a rebuild, except for the texts', async () => {
    const story = compactedStory({ id: 'old', secondsLater: -3 * 86_400 });
    const ledger = await holding(
      [...story.events, ...compactedSession({ id: 'new' })].map(recorded),
    );
    const urls = ['/v1/context/old', '/v1/context/new', '/v1/compactions'];
    const answers = async () =>
      Promise.all(urls.map(async (url) => (await get(ledger, url)).json()));
    const before = await answers();
    const single = (await get(ledger, '/v1/compactions/old-c1')).json();
    expect(single.summary).not.toBeNull();
    const headers = { 'content-type': 'application/json' };
    const ask = (url: string, body: object) =>
      ledger.app.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) });
    expect((await ask('/v1/seal', { before: '2026-11-21' })).json()).toMatchObject({
      events: story.events.length,
    });
    for (const view of ['context', 'compactions', 'sessions'])
      expect((await ask(`/v1/rebuild/${view}`, {})).statusCode).toBe(200);
    expect(await answers()).toEqual(before);
    expect((await get(ledger, '/v1/compactions/old-c1')).json()).toEqual({
      ...single,
      summary: null,
      instructions: null,
    });
  });
});
