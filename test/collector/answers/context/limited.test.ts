/** What a token with limits sees of contexts and compactions. */
import { describe, expect, it } from 'vitest';
import { compactedSession, compactedStory } from '../../support/compacted.ts';
import { type Guarded, guardedLedgers } from '../../support/guarded.ts';
import { offer } from '../../support/two-people.ts';

const guarded = guardedLedgers();

const adas = compactedSession({ id: 'ada-1', secondsLater: -7_200 });
const bobs = compactedSession({ id: 'bob-1', project: 'vault', user: 'bob', secondsLater: -3_600 });

/**
 * A session that moved from the vault to the shop; its earlier files and sizes are the vault's.
 */
function moved() {
  const story = compactedStory({ id: 'came-1', project: 'vault', secondsLater: -1_800 });
  const project = { name: 'shop', remote: null, branch: 'main', worktree: null };
  return story
    .wait(60)
    .live('pi.session.attributed.v1', { project, user: 'ada' })
    .compaction('came-c3', { tokensBefore: 900 }).events;
}

async function withWork(): Promise<Guarded> {
  const subject = await guarded.open();
  await offer(subject, [...adas, ...bobs, ...moved()]);
  return subject;
}

const questions = [
  '/v1/compactions',
  '/v1/compactions?user=bob',
  '/v1/compactions?project=vault&format=csv',
  '/v1/compactions?session=bob-1',
  '/v1/compactions?session=b',
  '/v1/compactions?limit=1',
  '/v1/compactions/ada-1-c1',
  '/v1/compactions/bob-1-c1',
  '/v1/context/ada-1',
  '/v1/context/bob-1',
  '/v1/context/b',
  '/v1/context/last',
  '/v1/context/ada-1/series',
  '/v1/context/bob-1/series',
  '/v1/sessions/ada-1/timeline',
  '/v1/sessions/bob-1/timeline',
];

async function answers({ ask }: Guarded, token: string): Promise<readonly string[]> {
  const told: string[] = [];
  for (const url of questions) {
    const { status, text } = await ask({ url, token });
    told.push(`${url} ${status} ${text}`);
  }
  return told;
}

describe('a token that reads some projects', () => {
  it('gets the answers of a ledger with nothing else in it', async () => {
    const [subject, alone] = [await withWork(), await guarded.open()];
    await offer(alone, adas);
    const { text } = await subject.make({ scopes: ['read'], projects: ['shop'] });
    const told = await answers(subject, text);
    // Only the questions themselves mention others.
    expect(
      told
        .slice(1)
        .filter((answer) => /bob-1-|vault"|came-/.test(answer.slice(answer.indexOf(' ') + 1))),
    ).toEqual([]);
    expect(told.filter((answer) => !answer.startsWith('/v1/context/last'))).toEqual(
      (await answers(alone, alone.machineToken)).filter(
        (answer) => !answer.startsWith('/v1/context/last'),
      ),
    );
  });
});

describe('a token that reads only its own', () => {
  it('gets 404 for what belongs to others, as for what does not exist', async () => {
    const { ask, make, machineToken } = await withWork();
    const { text } = await make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    for (const [theirs, none] of [
      ['/v1/context/bob-1', '/v1/context/nobody'],
      ['/v1/compactions/bob-1-c1', '/v1/compactions/nobody'],
      ['/v1/compactions?session=bob-1', '/v1/compactions?session=nobody'],
    ] as const) {
      const [refused, missing, seen] = [
        await ask({ url: theirs, token: text }),
        await ask({ url: none, token: text }),
        await ask({ url: theirs, token: machineToken }),
      ];
      expect([refused.status, refused.text, seen.status]).toEqual([404, missing.text, 200]);
    }
  });

  it('sees its own, of every project', async () => {
    const { ask, make } = await withWork();
    const { text } = await make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const { rows, total } = JSON.parse((await ask({ url: '/v1/compactions', token: text })).text);
    expect(new Set(rows.map(({ session }: { session: string }) => session))).toEqual(
      new Set(['ada-1', 'came-1']),
    );
    expect(total.compactions).toBe(5);
  });

  it('finds its own by the beginning of an id, however many of others begin alike', async () => {
    const subject = await guarded.open();
    const others = Array.from({ length: 60 }, (_, index) =>
      compactedSession({ id: `bob-${index}`, user: 'bob', secondsLater: -7_300 - index }),
    );
    await offer(subject, [...adas, ...others.flat()]);
    const { text } = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const { rows } = JSON.parse(
      (await subject.ask({ url: '/v1/compactions?kind=compaction', token: text })).text,
    );
    const ids: readonly string[] = rows.map(({ id }: { id: string }) => id);
    const beginnings = Array.from({ length: 8 }, (_, index) => (ids[0] ?? '').slice(0, index + 1));
    for (const beginning of beginnings) {
      const fitting = ids.filter((id) => id.startsWith(beginning)).toSorted();
      const { status, text: told } = await subject.ask({
        url: `/v1/compactions/${beginning}`,
        token: text,
      });
      if (fitting.length === 1) expect([status, JSON.parse(told).id]).toEqual([200, fitting[0]]);
      else expect([status, fitting.filter((id) => !told.includes(id))]).toEqual([400, []]);
      expect(told).not.toContain('bob');
    }
  });

  it('sees the context of a fork without what it may not see of the session above', async () => {
    const subject = await withWork();
    const fork = compactedStory({ id: 'fork', user: 'ada', parent: 'bob-1' }).events.slice(0, 1);
    const prompt = compactedStory({ id: 'fork' })
      .goTo('bob-1-t3')
      .user('f-u1', 400)
      .events.slice(-1);
    await offer(subject, [...fork, ...prompt]);
    const { text } = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const composition = async (token: string) =>
      JSON.parse((await subject.ask({ url: '/v1/context/fork', token })).text).composition
        .totalTokens;
    expect(await composition(text)).toBe(100);
    expect(await composition(subject.machineToken)).toBe(1_510 + 100);
  });
});
