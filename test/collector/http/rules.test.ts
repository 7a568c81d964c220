import { afterAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../../collector/main.ts';
import type { FoldRules } from '../../../collector/projections/rules.ts';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { memberEvents } from '../support/family.ts';
import { get, ledgerHomes, post } from '../support/ledger.ts';
import { sessionEvents } from '../support/work.ts';

const homes = ledgerHomes();
const opened: Ledger[] = [];
afterAll(async () => {
  for (const ledger of opened) await ledger.close();
});

const rules: FoldRules = {
  projects: [
    { match: 'secret*', ignore: true },
    { match: 'shop-*', as: 'shop' },
  ],
  billing: { anthropic: 'subscription' },
  labels: [],
};

/** Two sessions with spend around midnight in Kolkata (18:30 UTC), one of an ignored project. */
async function ruled(): Promise<Ledger> {
  const ledger = await openLedger({ ...homes.config(), rules });
  opened.push(ledger);
  const turns = ['18:10', '18:40', '20:00'].map((time) => ({
    time: `2026-11-21T${time}:00.000Z`,
    nanoUsd: 1,
  }));
  const startedAt = '2026-11-21T18:00:00.000Z';
  await post(ledger, [
    ...sessionEvents({ id: 'open', project: 'shop-2', startedAt, turns }),
    ...sessionEvents({ id: 'hidden', project: 'secret-1', startedAt, turns }),
    ...memberEvents({
      id: 'child of hidden',
      parent: 'hidden',
      project: 'shop-3',
      nanoUsd: 10,
      at: '2026-11-21T19:00:00.000Z',
    }),
  ]);
  return ledger;
}

describe('with a user’s rules', () => {
  it('sessions of ignored projects are in no list, unless they are asked for', async () => {
    const ledger = await ruled();
    const ids = async (query: string) =>
      (await get(ledger, `/v1/sessions?${query}`)).json().rows.map((row: { id: string }) => row.id);
    expect(await ids('')).toEqual(['open', 'child of hidden']);
    expect(await ids('ignored=include')).toEqual(['open', 'hidden', 'child of hidden']);
    expect(await ids('tree=hidden')).toEqual(['child of hidden']);
    expect((await get(ledger, '/v1/sessions/hidden')).json()).toMatchObject({
      records: 0,
      project: 'secret-1',
    });
  });

  it('ignoring, renaming and billing rules also apply in hours that midnight cuts', async () => {
    const ledger = await ruled();
    const { rows, total } = (await get(ledger, '/v1/usage?by=day&timezone=Asia/Kolkata')).json();
    expect(rows).toMatchObject([
      { day: '2026-11-21', records: 1, subscriptionNanoUsd: '1', unknownBillingNanoUsd: '0' },
      { day: '2026-11-22', records: 3, subscriptionNanoUsd: '2', meteredNanoUsd: '10' },
    ]);
    expect(total).toEqual((await get(ledger, '/v1/usage')).json().total);
    const shop = (
      await get(ledger, '/v1/usage?by=project&timezone=Asia/Kolkata&until=2026-11-21')
    ).json();
    expect(shop.rows).toMatchObject([{ project: 'shop', records: 1 }]);
  });

  it('an agent is told that its project is ignored', async () => {
    const ledger = await ruled();
    const ofAgent = async (id: string) =>
      (await get(ledger, `/v1/agent?session=${id}&day=2026-11-21`)).json().session.isIgnored;
    expect([await ofAgent('open'), await ofAgent('hidden')]).toEqual([false, true]);
  });

  it('a tree’s root may be ignored, and its children still stand under it', async () => {
    expect((await get(await ruled(), '/v1/usage?by=tree')).json().rows).toMatchObject([
      { tree: 'hidden', sessions: 1, meteredNanoUsd: '10' },
      { tree: 'open', sessions: 1, subscriptionNanoUsd: '3' },
    ]);
  });

  it('a repricing counts the same', async () => {
    const ledger = await ruled();
    const payload = {
      anthropic: {
        models: {
          'claude-sonnet-5': { cost: { input: 1, output: 1, cache_read: 1, cache_write: 1 } },
        },
      },
    };
    const answer = await ledger.app.inject({ method: 'POST', url: '/v1/reprice', payload });
    expect(answer.json().rows).toMatchObject([
      { project: 'shop', billing: 'metered', records: 1, recordedNanoUsd: '10' },
      {
        project: 'shop',
        billing: 'subscription',
        records: 3,
        recordedNanoUsd: '3',
        repricedNanoUsd: String(3 * 160 * 1_000),
      },
    ]);
  });
});
