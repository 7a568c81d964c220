import { describe, expect, it } from 'vitest';
import { compactedSession } from '../../support/compacted.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';

const { holding } = ledgerHomes();

const dayS = 86_400;
const two = [
  compactedSession({ id: 'shop-1', secondsLater: -2 * dayS }),
  compactedSession({ id: 'blog-1', project: 'blog', user: 'bob', secondsLater: -dayS }),
];

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly entryId: string | null;
  readonly session: string;
}

const named = (answer: { json(): { rows: readonly Row[] } }) =>
  answer.json().rows.map((row) => row.entryId ?? `${row.session} failed`);

describe('GET /v1/compactions', () => {
  it.each([
    ['project=shop', ['shop-1-c2', 'shop-1-c1', 'shop-1 failed']],
    ['user=bob&kind=failure', ['blog-1 failed']],
    ['trigger=threshold', ['blog-1-c1', 'shop-1-c1']],
    ['trigger=', ['blog-1-c2', 'shop-1-c2']],
    ['model=sonnet&session=shop', ['shop-1-c2', 'shop-1-c1']],
    ['session=last&kind=compaction&kind=branchSummary', ['blog-1-c2', 'blog-1-c1']],
    ['host=omp', []],
    ['since=2026-11-21', ['blog-1-c2', 'blog-1-c1', 'blog-1 failed']],
    ['until=2026-11-20', ['shop-1-c2', 'shop-1-c1', 'shop-1 failed']],
    ['since=2026-11-20T09:00:00Z&until=2026-11-20T10:00:00Z&kind=failure', ['shop-1 failed']],
    ['since=2026-11-20T10:00:00Z&until=2026-11-21T09:00:00Z', []],
    ['since=2026-11-22&timezone=Pacific/Kiritimati', []],
    ['since=2026-11-21&timezone=Pacific/Kiritimati', ['blog-1-c2', 'blog-1-c1', 'blog-1 failed']],
  ])('narrows by %s', async (query, expected) => {
    expect(named(await get(await holding(...two), `/v1/compactions?${query}`))).toEqual(expected);
  });

  it('narrows by a label to those of sessions that have records with it', async () => {
    const ledger = await holding(...two);
    const payload = { labels: { team: 'pay' }, project: 'shop' };
    await ledger.app.inject({ method: 'POST', url: '/v1/labels', payload });
    const asked = async (label: string) =>
      named(await get(ledger, `/v1/compactions?kind=failure&label=${label}`));
    expect(await asked('team%3Dpay')).toEqual(['shop-1 failed']);
    expect(await asked('team%3D')).toEqual(['blog-1 failed']);
  });

  it('takes days where the spender was', async () => {
    // 23:30 of the day before, two hours further east half past one.
    const late = compactedSession({ id: 'late', utcOffsetMinutes: 120, secondsLater: -34_200 });
    const ledger = await holding(late);
    expect(named(await get(ledger, '/v1/compactions?since=2026-11-22&kind=failure'))).toEqual([
      'late failed',
    ]);
    expect(named(await get(ledger, '/v1/compactions?until=2026-11-21'))).toEqual([]);
    const daysOf = async (query: string) =>
      (await get(ledger, `/v1/compactions?kind=failure${query}`))
        .json()
        .rows.map(({ day }: { day: string }) => day);
    expect(await daysOf('')).toEqual(['2026-11-22']);
    expect(await daysOf('&timezone=UTC')).toEqual(['2026-11-21']);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=x', 'limit'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${Buffer.from('[1,2]').toString('base64url')}`, 'cursor'],
    ['kind=spend', 'kind'],
    ['since=yesterday', 'since'],
    ['timezone=Moon', 'timezone'],
    ['colour=red', 'colour'],
  ])('refuses %s by its name', async (query, field) => {
    const answer = await get(await holding(), `/v1/compactions?${query}`);
    expect([answer.status, answer.json().code, answer.json().field]).toEqual([
      400,
      'bad_parameter',
      field,
    ]);
    expect(answer.json().message).toContain(field);
  });

  it('says which session is not there', async () => {
    const ledger = await holding(...two);
    expect((await get(ledger, '/v1/compactions?session=nobody')).status).toBe(404);
  });
});
