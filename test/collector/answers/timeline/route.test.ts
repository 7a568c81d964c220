import { describe, expect, it } from 'vitest';
import { spendOf } from '../../projections/support/given.ts';
import { compactedSession } from '../../support/compacted.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { Story } from '../context/given.ts';

const { holding } = ledgerHomes();

function session(id: string, parentSessionId: string | null, secondsLater: number) {
  const story = new Story(id).wait(secondsLater);
  const agent =
    parentSessionId === null
      ? { kind: 'main' as const, name: null }
      : { kind: 'subagent' as const, name: 'scout' };
  story.live('pi.session.attributed.v1', {
    agent,
    parentSessionId,
    billing: { anthropic: 'metered' },
  });
  return story.user(`${id}-u`).turn(`${id}-t`, spendOf({ costNanoUsd: 1_000 }));
}

describe('GET /v1/sessions/:id/timeline', () => {
  it('has subagents at every level beside the session, and never in its sums', async () => {
    const events = [
      ...session('one', null, 0).events,
      ...session('child', 'one', 100).events,
      ...session('grandchild', 'child', 200).events,
    ];
    const answer = (await get(await holding(events), '/v1/sessions/one/timeline')).json();
    expect(
      answer.items.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
    ).toEqual([
      ['prompt', ''],
      ['turn', 'sonnet'],
      ['subagent', 'scout'],
      ['subagent', 'scout'],
    ]);
    expect(answer.items[3]).toMatchObject({
      ...{ entryId: null, costs: {}, costsSoFar: { metered: '1000' } },
      subagent: { session: 'grandchild', parentSession: 'child', costs: { metered: '1000' } },
    });
    expect(answer).toMatchObject({
      costs: { metered: '1000' },
      costsNotPlaced: { metered: '0' },
      ...{ subagents: 2, subagentsLeftOut: false, costsOfSubagents: { metered: '2000' } },
    });
  });

  it('is thinned and cut to a period as asked, and names what it cannot read', async () => {
    const ledger = await holding(compactedSession({ id: 'shop-1' }));
    const thin = (await get(ledger, '/v1/sessions/shop-1/timeline?points=10')).json();
    expect(thin.itemsInAll).toBeGreaterThan(0);
    const [costliest, former] = await Promise.all(
      ['costliest', 'dear'].map((only) => get(ledger, `/v1/sessions/last/timeline?only=${only}`)),
    );
    expect(former?.json()).toEqual(costliest?.json());
    const late = await get(ledger, '/v1/sessions/last/timeline?from=2026-11-23T00:00:00Z');
    expect(late.json()).toMatchObject({ items: [], itemsInAll: 0 });
    const wrong = await get(ledger, '/v1/sessions/shop-1/timeline?from=yesterday');
    expect([wrong.status, wrong.json().field]).toEqual([400, 'from']);
    expect((await get(ledger, '/v1/sessions/nobody/timeline')).status).toBe(404);
  });
});
