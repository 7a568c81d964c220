import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { liveEventId } from '../../../extension/record/identity/event-id.ts';
import { sessionFile } from '../../extension/support/sessions.ts';
import { eventsOfFile } from '../queries/context/given.ts';
import { compactedSession, compactedStory, large } from '../support/compacted.ts';
import { get, ledgerHomes, post } from '../support/ledger.ts';

const homes = ledgerHomes();

async function holding(...sessions: readonly (readonly object[])[]): Promise<Ledger> {
  const ledger = await homes.open();
  const events = sessions.flat();
  expect((await post(ledger, events)).json()).toMatchObject({
    accepted: events.length,
    rejected: [],
  });
  return ledger;
}

/** As a host would have recorded it: the id is of the event's time. */
function recorded(event: LedgerEvent): LedgerEvent {
  return { ...event, id: liveEventId(Date.parse(event.time)) };
}

const sumOf = (parts: readonly { tokens: number }[]) =>
  parts.reduce((sum, { tokens }) => sum + tokens, 0);

describe('GET /v1/context/:session', () => {
  it('has the saw-tooth of a recorded session, and no figure right after the compaction', async () => {
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

  it('tells what fills the window, how far it is to the threshold, and by whose word', async () => {
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
      worst: [{ entryId: 'shop-1-t2', fromTokens: 9_000, toTokens: 1_000 }],
    });
  });

  it('tells the composition at any entry', async () => {
    const ledger = await holding(compactedSession({ id: 'shop-1' }));
    const at = async (entry: string) =>
      (await get(ledger, `/v1/context/shop-1?at=${entry}`)).json().composition;
    expect(await at('shop-1-t1')).toMatchObject({
      at: 'shop-1-t1',
      totalTokens: 9_100,
      source: 'provider',
    });
    // Before the first answer: the prompt, and what the live host said of system prompt and tools.
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

  it('takes the beginning of an id that fits one session only, and says of one that fits several which', async () => {
    const ledger = await holding(
      compactedSession({ id: 'shop-1' }),
      compactedSession({ id: 'shop-2', secondsLater: 60 }),
    );
    expect((await get(ledger, '/v1/context/shop-2')).json().session).toBe('shop-2');
    const several = await get(ledger, '/v1/context/sho');
    expect([several.status, several.json().field]).toEqual([400, 'session']);
    expect(several.json().message).toBe(
      'session: "sho" fits several sessions: shop-1, shop-2. Give more of the id.',
    );
    expect((await get(ledger, '/v1/context/nobody')).status).toBe(404);
    const alone = await holding(compactedSession({ id: 'shop-1' }));
    expect((await get(alone, '/v1/context/sho')).json().session).toBe('shop-1');
  });

  it('takes the session that was seen last for `last`, a subagent only where there is no other', async () => {
    const ledger = await holding();
    expect((await get(ledger, '/v1/context/last')).status).toBe(404);
    const subagent = compactedStory({ id: 'sub', secondsLater: 600 });
    subagent
      .wait(1)
      .live('pi.session.attributed.v1', { agent: { kind: 'subagent', name: 'scout' } });
    await post(ledger, subagent.events);
    expect((await get(ledger, '/v1/context/last')).json().session).toBe('sub');
    await post(ledger, [
      ...compactedSession({ id: 'older', secondsLater: -600 }),
      ...compactedSession({ id: 'newer' }),
    ]);
    expect((await get(ledger, '/v1/context/last')).json().session).toBe('newer');
  });

  it('goes on as the session goes on, also with what comes late', async () => {
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

  it('begins the context of a fork in the session that it comes from', async () => {
    const parent = compactedStory({ id: 'root' }).turn('t4', large);
    const fork = compactedStory({ id: 'fork', parent: 'root', secondsLater: 600 });
    const [attributed] = fork.events;
    const child = compactedStory({ id: 'fork', secondsLater: 600 });
    const before = child.events.length;
    child.goTo('t4').user('f-u1', 400);
    const ledger = await holding(parent.events, [attributed ?? {}, ...child.events.slice(before)]);
    const { composition } = (await get(ledger, '/v1/context/fork')).json();
    // 9,110 held behind the answer above it, and the new prompt.
    expect(composition).toMatchObject({ at: 'f-u1', totalTokens: 9_110 + 100, source: 'estimate' });
  });

  it('takes what came after a compaction from a fork, where the session did not go on itself', async () => {
    const parent = compactedStory({ id: 'root' }).compaction('root-c3', {
      tokensBefore: 9_000,
      firstKeptEntryId: 'root-t3',
    });
    const fork = compactedStory({ id: 'fork', parent: 'root', secondsLater: 600 });
    const before = fork.events.length;
    fork.goTo('root-c3').user('f-u1').turn('f-t1', large);
    const ledger = await holding(parent.events);
    const last = async () => (await get(ledger, '/v1/context/root')).json().compactions.at(-1);
    expect(await last()).toMatchObject({
      entryId: 'root-c3',
      tokensAfterMeasured: null,
      turnsAfter: 0,
    });
    await post(ledger, [...fork.events.slice(0, 1), ...fork.events.slice(before)]);
    expect(await last()).toMatchObject({
      entryId: 'root-c3',
      tokensAfterMeasured: 9_100,
      turnsAfter: 1,
    });
    const { rows } = (await get(ledger, '/v1/compactions?session=root&kind=compaction')).json();
    expect(rows[0]).toEqual(await last());
    // The series and the composition are its own.
    expect((await get(ledger, '/v1/context/root')).json()).toMatchObject({
      turns: 3,
      composition: { at: 'root-c3' },
    });
  });

  it('has as many points as are wanted, the compactions always among them', async () => {
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

  it('answers the same when its events were sealed and the views folded anew, but for the texts', async () => {
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

  it('of a session without an answer has no point, and no error', async () => {
    const [attributed] = compactedSession({ id: 'fresh' });
    const answer = (await get(await holding([attributed ?? {}]), '/v1/context/fresh')).json();
    expect(answer).toMatchObject({
      turns: 0,
      now: null,
      points: [],
      composition: { at: null, totalTokens: 0 },
      compactions: [],
    });
  });
});
