/** Models, tools and runs over HTTP. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { answer, attributed, day, event, failed, openai } from '../../support/timed-work.ts';

const homes = ledgerHomes();
const sizes = { textChars: 4_000, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 };
const work: readonly LedgerEvent[] = [
  ...attributed('s1', 'shop'),
  ...attributed('s2', 'blog'),
  answer(2_000, { outputTokens: 200, costNanoUsd: 1_000_000 }),
  answer(2_000, { outputTokens: 200, costNanoUsd: 1_000_000 }),
  answer(100, { ...failed }, { stopReason: 'error', errorStatus: 529 }),
  answer(null, { ...openai, outputTokens: 100, costNanoUsd: 500 }),
  event('pi.tool.completed.v1', { toolName: 'bash', durationMs: 90_000, sizes, spend: null }),
  event('pi.tool.completed.v1', { toolName: 'bash', durationMs: null, sizes, spend: null }),
  event('pi.tool.completed.v1', {
    toolName: 'read',
    durationMs: 15,
    isError: true,
    sizes,
    spend: null,
    paths: ['a', 'b'],
  }),
  event('pi.run.completed.v1', { turns: 4, durationMs: 30_000, outcome: 'completed' }),
  event('pi.run.completed.v1', { turns: 1, durationMs: 999_999, outcome: 'aborted' }, 's2'),
];

const asked = async (url: string) => (await get(await homes.holding(work), url)).json();

describe('GET /v1/models', () => {
  it('of an empty ledger has no rows, and measured nothing: null, never 0', async () => {
    const { rows, total, next } = (await get(await homes.open(), '/v1/models')).json();
    expect([rows, next]).toEqual([[], null]);
    expect(total).toMatchObject({
      answers: 0,
      durationP50: null,
      firstP95: null,
      outputTokensPerSecond: null,
      costPer1kOutput: { meteredNanoUsd: null, subscriptionNanoUsd: null },
      statuses: [],
    });
  });

  it('says what each model cost, how fast it was and how it failed', async () => {
    const { rows } = await asked('/v1/models');
    expect(rows).toMatchObject([
      {
        provider: 'anthropic',
        model: 'claude-sonnet-5',
        meteredNanoUsd: '2000000',
        subscriptionNanoUsd: '0',
        answers: 3,
        failedAnswers: 1,
        timedAnswers: 2,
        durationP50: { ms: 1_920, is: 'interpolated' },
        durationP95: { ms: 2_496, is: 'interpolated' },
        firstP50: null,
        outputTokensPerSecond: 100,
        costPer1kOutput: {
          meteredNanoUsd: '5000000',
          subscriptionNanoUsd: null,
          unknownBillingNanoUsd: null,
        },
        statuses: [{ status: 529, failedAnswers: 1, errorResponses: 0 }],
      },
      {
        provider: 'openai',
        subscriptionNanoUsd: '500',
        durationP50: null,
        outputTokensPerSecond: null,
        costPer1kOutput: { meteredNanoUsd: null, subscriptionNanoUsd: '5000' },
        statuses: [],
      },
    ]);
  });

  it('knows of retries by omp; of pi alone, that they are not known', async () => {
    expect((await asked('/v1/models')).total).toMatchObject({
      retries: null,
      retriesGivenUp: null,
    });
    const model = { provider: 'anthropic', model: 'claude-sonnet-5' };
    const retried = [
      event('pi.session.attributed.v1', { host: { name: 'omp', version: null } }),
      event('pi.retry.scheduled.v1', model),
      event('pi.retry.scheduled.v1', model),
      event('pi.retry.ended.v1', { ...model, succeeded: false }),
    ];
    const ledger = await homes.holding(retried);
    expect((await get(ledger, '/v1/models')).json().rows).toMatchObject([
      { ...model, answers: 0, retries: 2, retriesGivenUp: 1 },
    ]);
  });

  it('costs what every other report says', async () => {
    const ledger = await homes.holding(work);
    const { total } = (await get(ledger, '/v1/models')).json();
    const { cache: _, ...spent } = (await get(ledger, '/v1/usage?by=model')).json().total;
    expect(total).toMatchObject(spent);
  });

  it('has a CSV column for each figure, empty where it is not known', async () => {
    const ledger = await homes.holding(work);
    const lines = (await get(ledger, '/v1/models?format=csv')).text.split('\r\n');
    const [header = [], first = [], second = []] = lines.map((line) => line.split(','));
    const cell = (row: readonly string[], name: string) => row[header.indexOf(name)];
    expect(header).toEqual([...new Set(header)]);
    expect(cell(first, 'durationP50.ms')).toBe('1920');
    expect(cell(first, 'costPer1kOutput.meteredUsd')).toBe('0.005');
    expect(cell(second, 'durationP50.ms')).toBe('');
    expect(cell(second, 'byBilling.subscription.otherNanoUsd')).toMatch(/^-?\d+$/);
  });

  it('is paged, and narrowed by model, project and day', async () => {
    const ledger = await homes.holding(work);
    const first = (await get(ledger, '/v1/models?limit=1')).json();
    const second = (await get(ledger, `/v1/models?limit=1&cursor=${first.next}`)).json();
    const names = [...first.rows, ...second.rows].map(({ provider }) => provider);
    expect([names, second.next]).toEqual([['anthropic', 'openai'], null]);
    for (const [query, count] of [
      ['model=gpt-6', 1],
      ['provider=anthropic', 1],
      ['project=blog', 0],
      [`since=${day}&until=${day}`, 2],
      ['since=2026-11-23', 0],
    ])
      expect((await get(ledger, `/v1/models?${query}`)).json().rows).toHaveLength(Number(count));
  });

  const lists = ['models', 'models/days', 'tools', 'tools/costs', 'tools/models', 'runs'];
  it.each(lists.map((name) => `/v1/${name}`))('%s takes days, no hours', async (url) => {
    const ledger = await homes.open();
    const answered = await get(ledger, `${url}?since=2026-11-22T10:00:00Z`);
    expect([answered.status, answered.json().field]).toEqual([400, 'since']);
    expect((await get(ledger, `${url}?cursor=abc`)).status).toBe(400);
  });
});

describe('GET /v1/models/days', () => {
  const later = (events: readonly LedgerEvent[]) =>
    events.map((each) => ({ ...each, time: each.time.replace(day, '2026-11-23') }));
  const oneMore = () => later([answer(8_000, { outputTokens: 400 }, { timeToFirstTokenMs: 700 })]);

  it('says how fast each model was on each day, and null where nothing was measured', async () => {
    const ledger = await homes.holding([...work, ...oneMore()]);
    const { rows, next } = (await get(ledger, '/v1/models/days')).json();
    expect(next).toBeNull();
    expect(rows).toMatchObject([
      {
        day,
        provider: 'anthropic',
        model: 'claude-sonnet-5',
        answers: 3,
        failedAnswers: 1,
        timedAnswers: 2,
        durationP50: { ms: 1_920, is: 'interpolated' },
        firstP50: null,
        outputTokensPerSecond: 100,
      },
      { day, provider: 'openai', answers: 1, timedAnswers: 0, durationP50: null },
      {
        day: '2026-11-23',
        provider: 'anthropic',
        timedAnswers: 1,
        firstP50: { is: 'interpolated' },
        outputTokensPerSecond: 50,
      },
    ]);
  });

  it('adds up to the attempts of the whole, and is paged and narrowed', async () => {
    const ledger = await homes.holding([...work, ...oneMore()]);
    const rowsOf = async (query: string) =>
      (await get(ledger, `/v1/models/days?${query}`)).json().rows;
    const all: { answers: number }[] = await rowsOf('');
    const { total } = (await get(ledger, '/v1/models')).json();
    expect(all.reduce((sum, { answers }) => sum + answers, 0)).toBe(total.answers);
    const paged: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = (await get(ledger, `/v1/models/days?limit=1${cursor}`)).json();
      paged.push(...page.rows);
      if (page.next === null) break;
      cursor = `&cursor=${page.next}`;
    }
    expect(paged).toEqual(all);
    expect(await rowsOf('provider=openai')).toHaveLength(1);
    expect(await rowsOf('since=2026-11-23')).toHaveLength(1);
    const csv = (await get(ledger, '/v1/models/days?format=csv')).text;
    expect(csv).toMatch(/^day,provider,model,answers,failedAnswers,timedAnswers,durationP50.ms,/);
  });
});

describe('GET /v1/tools', () => {
  it('says calls, failures, durations and the estimated size of results', async () => {
    const { rows, total } = await asked('/v1/tools');
    expect(rows).toEqual([
      {
        tool: 'bash',
        calls: 2,
        failures: 0,
        timedCalls: 1,
        durationP50: { ms: 81_920, is: 'at least' },
        durationP95: { ms: 81_920, is: 'at least' },
        resultTokensEstimated: 2_000,
        namedFiles: 2,
      },
      {
        tool: 'read',
        calls: 1,
        failures: 1,
        timedCalls: 1,
        durationP50: { ms: 15, is: 'interpolated' },
        durationP95: { ms: 19.5, is: 'interpolated' },
        resultTokensEstimated: 1_000,
        namedFiles: 2,
      },
    ]);
    expect(total).toMatchObject({ calls: 3, failures: 1, timedCalls: 2, namedFiles: 4 });
  });

  it('is paged, and CSV has the same', async () => {
    const ledger = await homes.holding(work);
    const first = (await get(ledger, '/v1/tools?limit=1')).json();
    const { rows, next } = (await get(ledger, `/v1/tools?limit=1&cursor=${first.next}`)).json();
    expect([rows[0].tool, next]).toEqual(['read', null]);
    const lines = (await get(ledger, '/v1/tools?format=csv')).text.split('\r\n');
    expect(lines[0]).toBe(
      'tool,calls,failures,timedCalls,durationP50.ms,durationP50.is,durationP95.ms,' +
        'durationP95.is,resultTokensEstimated,namedFiles',
    );
    expect(lines[2]).toBe('read,1,1,1,15,interpolated,19.5,interpolated,1000,2');
  });
});

describe('GET /v1/runs', () => {
  it('is by project, and by whatever is asked', async () => {
    expect((await asked('/v1/runs')).rows).toMatchObject([
      { project: 'blog', runs: 1, abortedRuns: 1, durationP50: { ms: 409_600, is: 'at least' } },
      { project: 'shop', runs: 1, completedRuns: 1, turns: 4, toolCalls: 6, filesModified: 1 },
    ]);
    const { by, rows, total } = await asked('/v1/runs?by=outcome');
    expect([by, rows]).toMatchObject([
      'outcome',
      [
        { outcome: 'aborted', runs: 1 },
        { outcome: 'completed', runs: 1 },
      ],
    ]);
    expect(total).toMatchObject({ runs: 2, turns: 5 });
    expect((await asked('/v1/runs?by=day')).rows).toMatchObject([{ day, runs: 2 }]);
    expect((await asked('/v1/runs?by=agent')).rows).toMatchObject([{ agent: null, runs: 2 }]);
  });

  it('is paged', async () => {
    const ledger = await homes.holding(work);
    const first = (await get(ledger, '/v1/runs?limit=1')).json();
    const { rows, next } = (await get(ledger, `/v1/runs?limit=1&cursor=${first.next}`)).json();
    expect([first.rows[0].project, rows[0].project, next]).toEqual(['blog', 'shop', null]);
  });
});

describe('GET /v1/sessions/{id}', () => {
  it('has its runs one by one, and its tools with durations', async () => {
    const session = await asked('/v1/sessions/s1');
    expect(session.runs).toMatchObject([
      { endedAt: `${day}T09:10:00.000Z`, turns: 4, durationMs: 30_000, outcome: 'completed' },
    ]);
    expect(session).toMatchObject({
      runsTotal: 1,
      tools: [
        {
          name: 'bash',
          calls: 2,
          errors: 0,
          timedCalls: 1,
          durationP50: { ms: 81_920, is: 'at least' },
          resultTokensEstimated: 2_000,
        },
        { name: 'read', calls: 1, errors: 1, durationP50: { ms: 15, is: 'interpolated' } },
      ],
    });
  });

  it('has live durations of tools where its entries have none', async () => {
    const live = event('pi.tool.timed.v1', { toolName: 'bash', durationMs: 30 });
    const entry = event('pi.tool.completed.v1', {
      toolName: 'bash',
      durationMs: null,
      sizes,
      spend: null,
    });
    const ledger = await homes.holding([...attributed('s1', 'shop'), live, entry]);
    expect((await get(ledger, '/v1/sessions/s1')).json().tools).toMatchObject([
      { name: 'bash', calls: 1, timedCalls: 1, durationP50: { ms: 30, is: 'interpolated' } },
    ]);
  });

  it('is found by the start of its id too; an import has no runs', async () => {
    const ledger = await homes.holding([...attributed('session-of-ada', 'shop')]);
    expect((await get(ledger, '/v1/sessions/session-of')).json()).toMatchObject({
      id: 'session-of-ada',
      runs: [],
      runsTotal: 0,
      tools: [],
    });
  });
});
