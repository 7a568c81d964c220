/** Which session `GET /v1/context/:session` answers for, and what it includes of others. */
import { describe, expect, it } from 'vitest';
import { compactedSession, compactedStory, large } from '../../support/compacted.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

const { holding } = ledgerHomes();

describe('GET /v1/context/:session', () => {
  it('takes the start of an id if only one session matches, and lists them otherwise', async () => {
    const ledger = await holding(
      compactedSession({ id: 'shop-1' }),
      compactedSession({ id: 'shop-2', secondsLater: 60 }),
    );
    expect((await get(ledger, '/v1/context/shop-2')).json().session).toBe('shop-2');
    const several = await get(ledger, '/v1/context/sho');
    expect([several.status, several.json().field]).toEqual([400, 'session']);
    expect(several.json().message).toBe(
      'session: "sho" matches several sessions: shop-1, shop-2. Give more characters of the id.',
    );
    expect((await get(ledger, '/v1/context/nobody')).status).toBe(404);
    const alone = await holding(compactedSession({ id: 'shop-1' }));
    expect((await get(alone, '/v1/context/sho')).json().session).toBe('shop-1');
  });

  it('takes the session seen last for `last`, a subagent only if there is no other', async () => {
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

  it('begins the context of a fork in the session that it comes from', async () => {
    const parent = compactedStory({ id: 'root' }).turn('t4', large);
    const fork = compactedStory({ id: 'fork', parent: 'root', secondsLater: 600 });
    const [attributed] = fork.events;
    const child = compactedStory({ id: 'fork', secondsLater: 600 });
    const before = child.events.length;
    child.goTo('t4').user('f-u1', 400);
    const ledger = await holding(parent.events, [attributed ?? {}, ...child.events.slice(before)]);
    const { composition } = (await get(ledger, '/v1/context/fork')).json();
    // 9,110 held after the answer above it, plus the new prompt.
    expect(composition).toMatchObject({ at: 'f-u1', totalTokens: 9_110 + 100, source: 'estimate' });
  });

  it('takes what follows a compaction from a fork if the session ended there', async () => {
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
