import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { faultOf } from '../../support/contract-check.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { sessionEvents } from '../../support/work.ts';

const homes = ledgerHomes();

async function label(ledger: Ledger, payload: object) {
  const url = '/v1/labels';
  const answer = await ledger.app.inject({ method: 'POST', url, payload });
  expect(faultOf('POST', url, answer)).toBeNull();
  return { status: answer.statusCode, json: answer.json() };
}

async function labelEvents(ledger: Ledger): Promise<readonly { subject: string; data: object }[]> {
  const { rows } = (await get(ledger, '/v1/log?limit=1000')).json();
  return rows
    .map(({ event }: { event: { type: string } }) => event)
    .filter(({ type }: { type: string }) => type === 'pi.records.labelled.v1');
}

const holding = () =>
  homes.holding(
    sessionEvents({
      id: 'one',
      project: 'shop',
      billing: { anthropic: 'metered', openai: 'subscription' },
      startedAt: '2026-11-20T09:00:00.000Z',
      turns: [
        { time: '2026-11-20T09:10:00.000Z', nanoUsd: 1_000 },
        { time: '2026-11-20T09:20:00.000Z', nanoUsd: 20_000 },
        { time: '2026-11-20T09:20:30.000Z', provider: 'openai', nanoUsd: 300_000 },
        { time: '2026-11-21T09:30:00.000Z', nanoUsd: null },
      ],
    }),
    sessionEvents({
      id: 'two',
      project: 'shop',
      startedAt: '2026-11-21T09:00:00.000Z',
      turns: [{ time: '2026-11-21T09:10:00.000Z', nanoUsd: 4_000_000 }],
    }),
    sessionEvents({
      id: 'three',
      project: 'blog',
      startedAt: '2026-11-20T09:00:00.000Z',
      turns: [{ time: '2026-11-20T09:20:00.000Z', nanoUsd: 50_000_000 }],
    }),
  );

const all = {
  sessions: 2,
  changed: 2,
  records: 5,
  meteredNanoUsd: '21000',
  subscriptionNanoUsd: '300000',
  unknownBillingNanoUsd: '4000000',
  unpricedRecords: 1,
  byBilling: {
    metered: { unpricedRecords: 1, unreportedRecords: 0 },
    subscription: { unpricedRecords: 0, unreportedRecords: 0 },
    unknown: { unpricedRecords: 0, unreportedRecords: 0 },
  },
};

describe('POST /v1/labels', () => {
  it('labels the records that fit, by one event for each of their sessions', async () => {
    const ledger = await holding();
    const answer = await label(ledger, { labels: { team: 'checkout' }, project: 'shop' });
    expect(answer).toEqual({ status: 200, json: all });
    const events = await labelEvents(ledger);
    expect(events.map(({ subject }) => subject)).toEqual(['one', 'two']);
    expect(events[0]).toMatchObject({
      source: '/collector',
      time: '2026-11-22T12:00:00.000Z',
      data: { labels: { team: 'checkout' }, records: { project: 'shop', since: null, user: null } },
    });
  });

  it('changes nothing when it is repeated, and something when it says something else', async () => {
    const ledger = await holding();
    const body = { labels: { team: 'checkout' }, project: 'shop' };
    await label(ledger, body);
    expect((await label(ledger, body)).json).toEqual({ ...all, changed: 0 });
    expect(await labelEvents(ledger)).toHaveLength(2);
    const removed = { labels: { team: null }, project: 'shop' };
    expect((await label(ledger, removed)).json).toEqual(all);
    expect(await labelEvents(ledger)).toHaveLength(4);
  });

  it('only counts in a dry run', async () => {
    const ledger = await holding();
    const body = { labels: { team: 'checkout' }, project: 'shop', dryRun: true };
    expect((await label(ledger, body)).json).toEqual(all);
    expect(await labelEvents(ledger)).toEqual([]);
  });

  it.each([
    [{ since: '2026-11-20T09:20:59Z' }, 5],
    [{ since: '2026-11-20T09:21:00Z' }, 2],
    [{ until: '2026-11-20T09:20:00Z' }, 1],
    [{ until: '2026-11-20' }, 4],
    [{ since: '2026-11-21' }, 2],
    [{ since: '2026-11-20', until: '2026-11-20', project: 'shop' }, 3],
    [{ provider: 'openai' }, 1],
    [
      { user: 'ada', machine: 'workbench', branch: 'main', host: 'pi', model: 'claude-sonnet-5' },
      6,
    ],
    [{ project: 'nothing' }, 0],
  ])('takes from %j the %i records that fit', async (filters, records) => {
    const ledger = await holding();
    const { json } = await label(ledger, { labels: { team: 'x' }, ...filters });
    expect(json).toMatchObject({ records });
    expect(await labelEvents(ledger)).toHaveLength(json.sessions);
  });

  it.each([
    [{ labels: { team: 'x' } }, 'which records'],
    [{ labels: {}, project: 'shop' }, 'labels'],
    [{ labels: { Team: 'x' }, project: 'shop' }, 'Team'],
    [{ labels: { team: '' }, project: 'shop' }, 'labels'],
    [{ labels: { team: 'x' }, since: 'someday' }, 'since: must be a day'],
    [{ labels: { team: 'x' }, until: '2026-02-30' }, 'until: must be a day'],
    [{ labels: { team: 'x' }, projects: 'shop' }, 'projects'],
  ])('refuses %j', async (body, words) => {
    const { status, json } = await label(await holding(), body);
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(words);
  });
});
