/** `minimumUsers`: limited tokens learn what groups spend, and not what persons do. */
import { groupings } from '@pi-ledger/contract/groupings';
import { describe, expect, it } from 'vitest';
import { type Guarded, guardedLedgers } from '../../support/guarded.ts';
import { post } from '../../support/ledger.ts';
import { sessionEvents } from '../../support/work.ts';

const guarded = guardedLedgers();
let sessions = 0;

interface Options {
  readonly day?: string;
  readonly model?: string;
  readonly nanoUsd?: number | null;
  readonly billing?: 'metered' | 'subscription';
}

/** One session of a user in a project, with one turn of this cost. */
function spent(user: string, project: string, nanoUsd: number | null, options: Options = {}) {
  const { day = '2026-10-16', model = 'opus', billing = 'metered' } = options;
  sessions += 1;
  return sessionEvents({
    id: `small-${sessions}`,
    project,
    user,
    billing: { anthropic: billing },
    startedAt: `${day}T09:00:00.000Z`,
    turns: [{ time: `${day}T09:05:00.000Z`, model, nanoUsd }],
  });
}

/** The shop has three users, the lab four others, the den one of the shop's. */
const team = [
  ...['ada', 'bob', 'cy'].flatMap((user, index) => spent(user, 'shop', 10 ** index)),
  ...['dan', 'eve', 'flo', 'gil'].flatMap((user, index) => spent(user, 'lab', 10 ** (index + 3))),
];

async function opened(events: readonly object[], settings: object = { minimumUsers: 3 }) {
  const subject = await guarded.open(settings);
  const ingest = await subject.make({ user: '', scopes: ['ingest'] }).catch(() => null);
  expect(ingest).toBeNull();
  await post(subject.ledger, events, { authorization: `Bearer ${subject.machineToken}` });
  return subject;
}

async function asks(subject: Guarded, url: string, token?: string) {
  const reader = token ?? (await subject.make({ user: 'boss', scopes: ['read'] })).text;
  const { status, text } = await subject.ask({ url, token: reader });
  return { status, text, answer: JSON.parse(text) };
}

const small = '(small groups)';

/** Each is the only one in a project. */
const inOwnProject = (user: string) => spent(user, `${user}s`, 7);

const amounts = (answer: { rows: readonly Record<string, string>[] }, ...by: string[]) =>
  Object.fromEntries(
    answer.rows.map((row) => [by.map((name) => row[name]).join(' '), row.meteredNanoUsd]),
  );

describe('a floor for small groups', () => {
  it('has one row for groups that would be too small, and totals of everything', async () => {
    const subject = await opened([...team, ...['hal', 'ivy', 'joe'].flatMap(inOwnProject)]);
    const { answer } = await asks(subject, '/v1/usage?by=project');
    expect(amounts(answer, 'project')).toEqual({ shop: '111', lab: '1111000', [small]: '21' });
    expect(answer).toMatchObject({ total: { meteredNanoUsd: '1111132' }, toldUntil: '2026-10-31' });
    expect(answer).not.toHaveProperty('leftOutGroups');
  });

  it('adds the next smallest group where the small ones are too few together', async () => {
    const subject = await opened([...team, ...spent('hal', 'mill', 7)]);
    const { answer } = await asks(subject, '/v1/usage?by=project');
    expect(amounts(answer, 'project')).toEqual({ lab: '1111000', [small]: '118' });
  });

  it('tells of no user by groupings within each other', async () => {
    const others = ['dan', 'eve', 'flo'].flatMap((user) => spent(user, 'shop', 5));
    const sonnet = spent('ada', 'shop', 777, { model: 'sonnet' });
    const subject = await opened([...others, ...sonnet]);
    const rows = { 'shop (small groups)': '792' };
    const fine = (await asks(subject, '/v1/usage?by=project,model')).answer;
    expect(amounts(fine, 'project', 'model')).toEqual(rows);
    expect(fine.total.meteredNanoUsd).toBe('792');
    const coarse = (await asks(subject, '/v1/usage?by=project')).answer;
    expect(amounts(coarse, 'project')).toEqual({ shop: '792' });
    expect((await asks(subject, '/v1/usage?by=model&model=opus')).answer.rows).toEqual([]);
  });

  it('tells of no user by filters across groupings', async () => {
    const subject = await opened([...team, ...spent('dan', 'shop', 3, { model: 'sonnet' })]);
    for (const url of ['/v1/usage?by=model', '/v1/usage?by=model&project=shop&project=lab'])
      expect(amounts((await asks(subject, url)).answer, 'model')).toEqual({
        opus: '1111000',
        [small]: '114',
      });
    const shop = (await asks(subject, '/v1/usage?by=model&project=shop')).answer;
    expect(amounts(shop, 'model')).toEqual({ [small]: '114' });
  });

  it('counts only users with a cost, and each kind of billing alone', async () => {
    const subscribed = spent('ada', 'lab', 9, { billing: 'subscription' });
    const free = ['ada', 'bob', 'cy'].flatMap((user) => spent(user, 'mill', null));
    const subject = await opened([...team, ...subscribed, ...free, ...spent('dan', 'mill', 5)]);
    const { answer } = await asks(subject, '/v1/usage?by=project');
    expect(amounts(answer, 'project')).toEqual({ lab: '1111000', [small]: '116' });
    expect(answer).toMatchObject({ leftOutGroups: 1, total: { subscriptionNanoUsd: '0' } });
  });

  it('shows no work as it goes on: health has neither positions nor sizes', async () => {
    const subject = await opened(team);
    const { answer } = await asks(subject, '/health/ready');
    expect(answer).toMatchObject({ ready: true, views: [], store: { bytes: null } });
    await post(subject.ledger, spent('hal', 'mill', 7), {
      authorization: `Bearer ${subject.machineToken}`,
    });
    await subject.ledger.subscription.catchUp();
    expect((await asks(subject, '/health/ready')).answer).toEqual(answer);
  });

  it('leaves out a month of fewer users', async () => {
    const before = ['ada', 'bob'].flatMap((user) => spent(user, 'shop', 3, { day: '2026-09-30' }));
    const subject = await opened([...team, ...before]);
    const { answer } = await asks(subject, '/v1/usage?by=month');
    expect(amounts(answer, 'month')).toEqual({ '2026-10': '1111111' });
    expect(answer.leftOutGroups).toBe(1);
  });

  it('tells of a month when it has ended, and not of work that goes on', async () => {
    const subject = await opened(team);
    const url = '/v1/usage?by=month&until=2026-11-30';
    const { text } = await asks(subject, url);
    const now = ['ada', 'bob', 'cy'].flatMap((user) =>
      spent(user, 'shop', 2, { day: '2026-11-21' }),
    );
    await post(subject.ledger, now, { authorization: `Bearer ${subject.machineToken}` });
    expect((await asks(subject, url)).text).toBe(text);
    subject.clock.nowMs = Date.parse('2026-12-02T23:59:59.999Z');
    expect((await asks(subject, url)).text).toBe(text);
    subject.clock.nowMs += 1;
    expect(amounts((await asks(subject, url)).answer, 'month')).toEqual({
      '2026-10': '1111111',
      '2026-11': '6',
    });
  });

  it('answers for whole months, as the days of those who spent', async () => {
    const subject = await opened([
      ...team,
      ...['ada', 'bob', 'cy'].flatMap((user) => spent(user, 'shop', 2, { day: '2026-09-01' })),
    ]);
    const totalOf = async (period: string) =>
      (await asks(subject, `/v1/usage?${period}`)).answer.total?.meteredNanoUsd;
    expect(await totalOf('until=2026-09-30')).toBe('6');
    expect(await totalOf('since=2026-10-01')).toBe('1111111');
    expect(await totalOf('since=2026-09-01&until=2026-10-31')).toBe('1111117');
    const parts = ['since=2026-10-16', 'until=2026-10-16', 'since=2026-10-01T00:00:00Z'];
    for (const period of [...parts, 'timezone=Asia/Kolkata', 'since=2026-10-01&until=2026-10-30']) {
      const { status, answer } = await asks(subject, `/v1/usage?${period}`);
      expect([period, status, answer.code]).toEqual([period, 403, 'scope_missing']);
      expect(answer.message).toContain('in whole months, by project, provider, model: not ');
    }
  });

  it('refuses other groupings and filters, and routes about sessions', async () => {
    const subject = await opened(team);
    const told = ['project', 'provider', 'model', 'month'];
    for (const by of [...groupings, 'label:team', 'project,day'])
      expect([by, (await asks(subject, `/v1/usage?by=${by}`)).status]).toEqual([
        by,
        told.includes(by) ? 200 : 403,
      ]);
    const filters = ['user=ada', 'machine=laptop', 'session=small-1', 'branch=main', 'kind=turn'];
    for (const filter of [...filters, 'host=pi', 'costSource=catalog', 'label=team%3Dweb'])
      expect([filter, (await asks(subject, `/v1/usage?${filter}`)).status]).toEqual([filter, 403]);
    const others = subject.ledger.app.routeList
      .filter(({ scope, method }) => scope === 'read' && method === 'GET')
      .map(({ url }) => url)
      .filter(
        (url) => !['/v1/usage', '/v1/standing', '/v1/answers', '/openapi.json'].includes(url),
      );
    expect(others).toContain('/v1/sessions');
    for (const url of others) expect([url, (await asks(subject, url)).status]).toEqual([url, 403]);
  });

  it('leaves out estimates of the cache, which no group has', async () => {
    const subject = await opened(team);
    const { answer } = await asks(subject, '/v1/usage?by=model');
    expect(answer.total).not.toHaveProperty('cache');
    expect(answer.rows[0]).not.toHaveProperty('cache');
  });

  it('gives a spreadsheet the same rows', async () => {
    const subject = await opened([...team, ...spent('hal', 'mill', 7)]);
    const reader = await subject.make({ user: 'boss', scopes: ['read'] });
    const url = '/v1/usage?by=project&format=csv';
    const { text } = await subject.ask({ url, token: reader.text });
    const names = text.trimEnd().split(/\r?\n/).slice(1);
    expect(names.map((line) => line.split(',')[0])).toEqual(['lab', small]);
  });

  it('holds for tokens of projects, not for own ones, admins, or without the setting', async () => {
    const subject = await opened([...team, ...['hal', 'ivy', 'joe'].flatMap(inOwnProject)]);
    const shop = await subject.make({ user: 'boss', scopes: ['read'], projects: ['shop'] });
    const both = await asks(subject, '/v1/usage?by=project', shop.text);
    expect(amounts(both.answer, 'project')).toEqual({ shop: '111' });
    const den = await subject.make({ user: 'boss', scopes: ['read'], projects: ['den'] });
    expect((await asks(subject, '/v1/usage', den.text)).answer.rows).toEqual([]);
    const own = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    expect(amounts((await asks(subject, '/v1/usage?by=user', own.text)).answer, 'user')).toEqual({
      ada: '1',
    });
    const admin = await subject.make({ user: 'root', scopes: ['admin'] });
    expect((await asks(subject, '/v1/usage?by=user', admin.text)).answer.rows).toHaveLength(10);
    const open = await opened(team, {});
    const { answer } = await asks(open, '/v1/usage?by=user');
    expect(answer.rows).toHaveLength(7);
    expect(answer).not.toHaveProperty('leftOutGroups');
  });
});
