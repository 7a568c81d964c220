import { describe, expect, it } from 'vitest';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { work } from '../../support/work.ts';

const homes = ledgerHomes();

describe('GET /v1/usage', () => {
  const filters: [query: string, records: number][] = [
    ['project=shop', 3],
    ['project=shop&project=blog', 5],
    ['project=', 1],
    ['user=bob', 2],
    ['model=tiny&model=gpt-6', 2],
    ['provider=anthropic&project=shop', 2],
    ['host=omp', 0],
    ['branch=', 3],
    ['kind=turn', 6],
    ['agentKind=subagent', 0],
    ['agentKind=main&agent=', 5],
    ['thinking=high&stopReason=toolUse', 6],
    ['costSource=catalog', 4],
    ['costSource=unpriced&costSource=', 2],
    ['session=s-lost', 1],
    ['since=2026-11-17', 4],
    ['since=2026-11-22', 2],
    ['until=2026-11-16', 2],
    ['until=9999-12-31', 6],
    ['until=9999-12-31&timezone=Asia/Kolkata', 6],
    ['since=0000-01-01&until=9999-12-30&timezone=Asia/Kolkata', 6],
    ['since=9999-12-31&timezone=UTC', 0],
    ['since=2026-11-17&until=2026-11-20', 2],
    ['since=2026-11-21T22:40:00Z', 2],
    ['since=2026-11-21T23:00:00Z', 0],
    ['until=2026-11-21T22:59:00Z', 4],
    ['until=2026-11-16T10:00:00%2B01:00', 0],
  ];

  it.each(filters)('narrowed by %s has %d records', async (query, records) => {
    expect((await get(await homes.holding(work), `/v1/usage?${query}`)).json().total.records).toBe(
      records,
    );
  });

  const bad: [query: string, field: string][] = [
    ['by=planet', 'by'],
    ['timezone=Mars/Olympus', 'timezone'],
    ['timezone=', 'timezone'],
    ['timezone=UTC&timezone=UTC', 'timezone'],
    ['by=day&by=week', 'by'],
    ['by=day,planet', 'by'],
    ['by=day,day', 'by'],
    ['by=', 'by'],
    ['by=day,', 'by'],
    ['by=user,day,model,host,kind', 'by'],
    ['by=user,day&cursor=WyIxIiwiMiIsIngiXQ', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['since=yesterday', 'since'],
    ['since=2026-13-01', 'since'],
    ['since=2026-02-30', 'since'],
    ['until=2026-02-30T00:00:00Z', 'until'],
    ['until=2026-11-22T25:00:00Z', 'until'],
    ['cursor=abc', 'cursor'],
    ['cursor=WyJ4IiwieSIsInoiXQ', 'cursor'],
    ['format=xml', 'format'],
    [`project=${'x'.repeat(501)}`, 'project'],
    ['projekt=shop', 'projekt'],
    ['constructor=1', 'constructor'],
    ['toString=1', 'toString'],
  ];

  it.each(bad)('refuses %s and names the parameter', async (query, field) => {
    const answer = await get(await homes.open(), `/v1/usage?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'bad_parameter',
      field,
      message: expect.stringContaining(field),
    });
  });
});
