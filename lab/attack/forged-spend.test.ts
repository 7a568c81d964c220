/**
 * A program on loopback without a token, where none is needed: it makes spend up, and does whatever
 * else it may, to a budget that counts verified senders only and to one that counts all. Nothing
 * moves the first, neither what a person's token sent nor what is left of it.
 */
import type { Budget } from '@pi-ledger/contract/answers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  attributed,
  event,
  spendOf,
  turn,
} from '../../test/collector/projections/support/given.ts';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type AttackedCollector, type CallerName, startAttacked } from './support/collector.ts';

const directory = temporaryDirectory();
const limits = { project: 'victims', per: 'month', limit: 100, in: 'metered dollars' };
const budgets = [
  { name: 'all', ...limits },
  { name: 'verified', ...limits, verifiedOnly: true },
];
const dollar = 1e9;
const at = new Date().toISOString();
const session = 'of eve';
let collector: AttackedCollector;

beforeAll(async () => {
  collector = await startAttacked(directory, { settings: { budgets }, isOpen: true });
});

afterAll(() => collector.stop());

async function ask(path: string, caller: CallerName, body?: object) {
  const isEvents = path === '/v1/events' || path === '/v1/log';
  const type = isEvents ? 'application/cloudevents-batch+json' : 'application/json';
  const token = collector.tokens[caller];
  const answer = await fetch(`${collector.url}${path}`, {
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, answer: await answer.json() };
}

/** Other events of this store have such ids, too. */
let sent = 0;
const fresh = (events: readonly object[]) =>
  events.map((each) => {
    sent += 1;
    return { ...each, id: `01a2073c-26a2-8daf-b11b-${String(sent).padStart(12, '0')}` };
  });

async function usedOf(): Promise<Record<string, number>> {
  const { answer } = await ask('/v1/budgets', 'machine');
  return Object.fromEntries(answer.rows.map((row: Budget) => [row.name, Number(row.used)]));
}

const whose = { project: 'victims', user: 'eve' };
const spent = (dollars: number, of = session) => turn(at, { costNanoUsd: dollars * dollar }, of);
const place = { at, session };
const accounted = {
  ...{ childSessionId: 'kid', childEntryId: 'e', keys: ['omp:kid'] },
  accounted: spendOf({ costNanoUsd: 5 * dollar }),
};

const forged: readonly (readonly [what: string, path: string, body: () => object])[] = [
  ['spend in the session', '/v1/events', () => fresh([spent(200)])],
  [
    'a session of its own',
    '/v1/events',
    () => fresh([attributed(at, whose, 'own'), spent(200, 'own')]),
  ],
  [
    'a subagent’s records',
    '/v1/events',
    () => fresh([event('pi.subagent.accounted.v1', place, accounted)]),
  ],
  ['a label', '/v1/events', () => fresh([event('pi.session.labelled.v1', place)])],
  ['the session for another project', '/v1/events', () => fresh([attributed(at, {}, session)])],
  [
    'an export that names a token',
    '/v1/log',
    () => fresh([{ ...spent(200), authenticatedtoken: '0123456789ab' }]),
  ],
  ['an export', '/v1/log', () => fresh([spent(200)])],
  ['a second try of what was rejected', '/v1/dead-letters/retry', () => ({})],
  [
    'an export that takes the session back',
    '/v1/log',
    () =>
      fresh([
        event('pi.records.withdrawn.v1', place, {
          records: { events: [], session, token: null },
        }),
      ]),
  ],
  ['the session back', '/v1/withdrawals', () => ({ session, reason: 'x' })],
  ['labels after the fact', '/v1/labels', () => ({ project: 'victims', set: { team: 'x' } })],
  ['the view anew', '/v1/rebuild/verified_sessions', () => ({})],
];

it('nothing that comes without a token moves a budget of verified senders', async () => {
  const claim = event('pi.subagent.claimed.v1', place, {
    entryId: 'tool-1',
    key: 'omp:kid',
    claimed: spendOf({ costNanoUsd: 5 * dollar }),
  });
  const own = fresh([attributed(at, whose, session), spent(10), claim]);
  expect((await ask('/v1/events', 'ingest', own)).answer).toMatchObject({ accepted: 3 });
  await eventually(async () => expect(await usedOf()).toEqual({ all: 15, verified: 15 }));
  for (const [what, path, body] of forged) {
    const { status } = await ask(path, 'nobody', body());
    expect(status, what).toBeLessThan(500);
    await eventually(async () => expect([what, (await usedOf()).verified]).toEqual([what, 15]));
  }
  await eventually(async () => expect((await usedOf()).all).toBeGreaterThan(limits.limit));
  const { answer } = await ask('/v1/budgets', 'machine');
  expect(answer.rows.map(({ name, state }: Budget) => [name, state])).toEqual([
    ['all', 'over'],
    ['verified', 'ok'],
  ]);

  // What a token sends counts, as it says itself, and nothing of another one's is moved.
  const more = fresh([
    attributed(at, whose, 'roots'),
    spent(90, 'roots'),
    attributed(at, {}, session),
  ]);
  expect((await ask('/v1/events', 'admin', more)).answer).toMatchObject({ accepted: 3 });
  await eventually(async () => expect((await usedOf()).verified).toBe(105));
});
