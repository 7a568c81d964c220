/** `minimumUsers`: limited tokens learn what groups spend, and not what persons do. */
import { groupings } from '@pi-ledger/contract/groupings';
import { describe, expect, it } from 'vitest';
import { type Guarded, guardedLedgers } from '../support/guarded.ts';
import { post } from '../support/ledger.ts';
import { sessionEvents } from '../support/work.ts';

const guarded = guardedLedgers();
let sessions = 0;

/** One session of a user in a project, with one turn of this cost. */
function spent(user: string, project: string, nanoUsd: number, day = '16') {
  sessions += 1;
  const startedAt = `2026-11-${day}T09:00:00.000Z`;
  return sessionEvents({
    id: `small-${sessions}`,
    project,
    user,
    billing: { anthropic: 'metered' },
    startedAt,
    turns: [{ time: `2026-11-${day}T09:05:00.000Z`, nanoUsd }],
  });
}

/** The shop has three users, the lab two others, the den one of the shop's. */
const team = [
  ...['ada', 'bob', 'cy'].flatMap((user, index) => spent(user, 'shop', 10 ** index)),
  ...['dan', 'eve'].flatMap((user, index) => spent(user, 'lab', 1_000 * 10 ** index)),
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

const amounts = (answer: { rows: readonly Record<string, string>[] }, by: string) =>
  Object.fromEntries(answer.rows.map((row) => [row[by], row.meteredNanoUsd]));

describe('a floor for small groups', () => {
  it('leaves out groups of fewer users, and what subtracting would tell', async () => {
    const subject = await opened([...team, ...spent('fay', 'mill', 1), ...spent('gus', 'mill', 1)]);
    const { answer } = await asks(subject, '/v1/usage?by=project');
    expect(amounts(answer, 'project')).toEqual({ shop: '111' });
    // Lab and mill together have four users.
    expect(answer).toMatchObject({ total: { meteredNanoUsd: '111' }, leftOutGroups: 2 });
    expect((await asks(subject, '/v1/usage?by=host')).answer.total.meteredNanoUsd).toBe('11113');
  });

  it('leaves out a larger group where the small ones alone would be too few', async () => {
    const subject = await opened(team);
    const { answer } = await asks(subject, '/v1/usage?by=project');
    expect(answer).toMatchObject({ rows: [], leftOutGroups: 2 });
    expect((await asks(subject, '/v1/usage?by=host')).answer.total.meteredNanoUsd).toBe('11111');
  });

  it('answers no filter whose rest has fewer users', async () => {
    const subject = await opened(team);
    const { answer } = await asks(subject, '/v1/usage?by=host&project=shop');
    expect(answer).toMatchObject({ rows: [], leftOutGroups: 1 });
    const all = await asks(subject, '/v1/usage?by=host&project=shop&project=lab');
    expect(all.answer.total.meteredNanoUsd).toBe('11111');
  });

  it('answers filters by label', async () => {
    const labels = [{ project: 'shop', set: { team: 'web' } }];
    const rules = { projects: [], billing: {}, labels };
    const subject = await opened(team, { minimumUsers: 2, rules });
    const { status, answer } = await asks(subject, '/v1/usage?by=host&label=team%3Dweb');
    expect([status, answer.total?.meteredNanoUsd]).toEqual([200, '111']);
    const none = await asks(subject, '/v1/usage?by=host&label=team%3Dlab');
    expect([none.status, none.answer.rows]).toEqual([200, []]);
  });

  it('refuses what tells persons apart, and routes about sessions', async () => {
    const subject = await opened(team);
    for (const by of ['user', 'machine', 'session', 'tree'])
      expect(await asks(subject, `/v1/usage?by=${by}`)).toMatchObject({
        status: 403,
        answer: { code: 'scope_missing' },
      });
    for (const filter of ['user=ada', 'machine=laptop', 'session=small-1'])
      expect((await asks(subject, `/v1/usage?${filter}`)).status).toBe(403);
    const others = subject.ledger.app.routeList
      .filter(({ scope, method }) => scope === 'read' && method === 'GET')
      .map(({ url }) => url)
      .filter(
        (url) => !['/v1/usage', '/v1/standing', '/v1/answers', '/openapi.json'].includes(url),
      );
    expect(others).toContain('/v1/sessions');
    for (const url of others) expect([url, (await asks(subject, url)).status]).toEqual([url, 403]);
  });

  it('tells of no group of fewer users in any grouping, and in no time zone', async () => {
    const subject = await opened([...team, ...spent('ada', 'den', 7, '17')]);
    for (const by of groupings)
      for (const zone of ['', '&timezone=Asia/Kolkata', '&timezone=Europe/Berlin']) {
        const { status, answer } = await asks(subject, `/v1/usage?by=${by}${zone}`);
        if (status === 403) continue;
        for (const row of answer.rows)
          expect(['111', '11111', '11118']).toContain(row.meteredNanoUsd);
      }
  });

  it('holds for tokens of projects, not for own ones, admins, or without the setting', async () => {
    const subject = await opened(team);
    const shop = await subject.make({ user: 'boss', scopes: ['read'], projects: ['shop'] });
    const both = await asks(subject, '/v1/usage?by=project', shop.text);
    expect(amounts(both.answer, 'project')).toEqual({ shop: '111' });
    const lab = await subject.make({ user: 'boss', scopes: ['read'], projects: ['lab'] });
    expect((await asks(subject, '/v1/usage', lab.text)).answer.rows).toEqual([]);
    const own = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    expect(amounts((await asks(subject, '/v1/usage?by=user', own.text)).answer, 'user')).toEqual({
      ada: '1',
    });
    const admin = await subject.make({ user: 'root', scopes: ['admin'] });
    expect((await asks(subject, '/v1/usage?by=user', admin.text)).answer.rows).toHaveLength(5);
    const open = await opened(team, {});
    const { answer } = await asks(open, '/v1/usage?by=user');
    expect(answer.rows).toHaveLength(5);
    expect(answer).not.toHaveProperty('leftOutGroups');
  });
});
