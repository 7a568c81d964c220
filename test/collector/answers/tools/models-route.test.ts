/** What models asked of tools, each or all of them, over HTTP. */
import { describe, expect, it } from 'vitest';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { answer, attributed, day, failed, openai } from '../../support/timed-work.ts';

const homes = ledgerHomes();

const priced = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const calling = (toolCalls: Record<string, number>, spend: object = {}) =>
  answer(null, { ...priced, outputTokens: 90, costNanoUsd: 1_000, ...spend }, { toolCalls });
const given = () => [
  ...attributed('s1', 'shop'),
  ...attributed('s2', 'blog'),
  calling({ bash: 2, read: 1 }),
  calling({ read: 1 }, openai),
  calling({ read: 1 }, { ...openai, costNanoUsd: null, costSource: 'unpriced' }),
  calling({ bash: 1 }, { ...failed }),
  calling({}),
  { ...calling({ read: 4 }), time: '2026-11-23T10:00:00.000Z' },
];
const none = { unpricedCalls: 0, unreportedCalls: 0 };

describe('GET /v1/tools/models', () => {
  it('shares an answer among its calls, by how it is paid; says what has no price', async () => {
    const ledger = await homes.holding(given());
    const { rows, total, next } = (await get(ledger, '/v1/tools/models')).json();
    const claude = { provider: 'anthropic', model: 'claude-sonnet-5' };
    const others = { subscriptionNanoUsd: '0', unknownBillingNanoUsd: '0' };
    expect(next).toBeNull();
    expect(rows).toEqual([
      {
        ...{ tool: 'read', ...claude, lastDay: '2026-11-23', calls: 5, tokens: 120 },
        ...{ meteredNanoUsd: '1334', ...others },
        byBilling: { metered: none, subscription: none, unknown: none },
      },
      {
        ...{ tool: 'bash', ...claude, lastDay: day, calls: 3, tokens: 60 },
        ...{ meteredNanoUsd: '666', ...others },
        byBilling: {
          metered: { unpricedCalls: 0, unreportedCalls: 1 },
          subscription: none,
          unknown: none,
        },
      },
      {
        ...{ tool: 'read', ...openai, lastDay: day, calls: 2, tokens: 180 },
        ...{ meteredNanoUsd: '0', subscriptionNanoUsd: '1000', unknownBillingNanoUsd: '0' },
        byBilling: {
          metered: none,
          subscription: { unpricedCalls: 1, unreportedCalls: 0 },
          unknown: none,
        },
      },
    ]);
    expect(total).toMatchObject({
      ...{ calls: 10, meteredNanoUsd: '2000', subscriptionNanoUsd: '1000' },
    });
  });

  it('is paged, narrowed, and has a CSV', async () => {
    const ledger = await homes.holding(given());
    const rowsOf = async (query: string) =>
      (await get(ledger, `/v1/tools/models?${query}`)).json().rows;
    const paged: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = (await get(ledger, `/v1/tools/models?limit=1${cursor}`)).json();
      paged.push(...page.rows);
      if (page.next === null) break;
      cursor = `&cursor=${page.next}`;
    }
    expect(paged).toEqual(await rowsOf(''));
    for (const [query, count] of [
      ['model=gpt-6', 1],
      ['provider=anthropic', 2],
      ['project=blog', 0],
      ['since=2026-11-23', 1],
    ])
      expect(await rowsOf(String(query))).toHaveLength(Number(count));
    expect((await get(ledger, '/v1/tools/models?format=csv')).text).toMatch(
      /^tool,provider,model,lastDay,calls,tokens,meteredNanoUsd,meteredUsd,/,
    );
  });
});

describe('GET /v1/tools/costs', () => {
  it('adds up what models asked of a tool, each kind of billing by itself', async () => {
    const ledger = await homes.holding(given());
    const { rows, total, next } = (await get(ledger, '/v1/tools/costs')).json();
    expect(next).toBeNull();
    expect(rows).toEqual([
      {
        ...{ tool: 'read', lastDay: '2026-11-23', calls: 7, tokens: 300 },
        ...{ meteredNanoUsd: '1334', subscriptionNanoUsd: '1000', unknownBillingNanoUsd: '0' },
        byBilling: {
          metered: none,
          subscription: { unpricedCalls: 1, unreportedCalls: 0 },
          unknown: none,
        },
      },
      {
        ...{ tool: 'bash', lastDay: day, calls: 3, tokens: 60 },
        ...{ meteredNanoUsd: '666', subscriptionNanoUsd: '0', unknownBillingNanoUsd: '0' },
        byBilling: {
          metered: { unpricedCalls: 0, unreportedCalls: 1 },
          subscription: none,
          unknown: none,
        },
      },
    ]);
    expect(total).toEqual((await get(ledger, '/v1/tools/models')).json().total);
  });

  it('is paged, narrowed, and has a CSV', async () => {
    const ledger = await homes.holding(given());
    const first = (await get(ledger, '/v1/tools/costs?limit=1')).json();
    const second = (await get(ledger, `/v1/tools/costs?limit=1&cursor=${first.next}`)).json();
    expect([...first.rows, ...second.rows].map(({ tool }) => tool)).toEqual(['read', 'bash']);
    expect(second.next).toBeNull();
    for (const [query, calls] of [
      ['model=gpt-6', 2],
      ['provider=anthropic', 8],
      ['project=blog', 0],
      ['since=2026-11-23', 4],
    ])
      expect((await get(ledger, `/v1/tools/costs?${query}`)).json().total.calls).toBe(calls);
    expect((await get(ledger, '/v1/tools/costs?format=csv')).text).toMatch(
      /^tool,lastDay,calls,tokens,meteredNanoUsd,meteredUsd,/,
    );
  });
});
