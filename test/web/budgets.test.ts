/** Budgets in a real browser, beside the API's own answers. */
import type { Answers } from '@pi-ledger/contract/answers';
import { beforeAll, describe, expect, it } from 'vitest';
import { startEndpoint, statuses } from '../collector/process/notices/support/endpoint.ts';
import { attributed, turn } from '../collector/projections/support/given.ts';
import { exampleEvent } from '../collector/support/events.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

const browser = useBrowser();
const hostile = `<img src=x onerror="document.title='owned'"> ${'long '.repeat(10)}end`;
const month = { per: 'month', in: 'metered dollars' };
const budgets = [
  { name: 'everything', limit: 100_000, ...month },
  {
    name: 'small',
    project: 'demo-weather',
    limit: 1,
    hard: true,
    endsHeadlessRuns: true,
    ...month,
  },
  { name: hostile, user: 'demo-grace', limit: 100_000, ...month },
  { name: 'plan', limit: 1, per: 'month', in: 'list-price dollars' },
  { name: 'raised', limit: 300, raisedTo: 90_000, raisedUntil: '2099-12-31', ...month },
  { name: 'tokens', limit: 9_000_000_000, per: 'week', in: 'tokens' },
];
let ledger: Ledger;
let unlimited: Ledger;
beforeAll(async () => {
  ledger = await startedLedger({ settings: { budgets } });
  unlimited = await startedLedger({ data: 'none' });
});

const list = () => answerOf<Answers['GET /v1/budgets']>(ledger, '/v1/budgets');

async function spendIn({ url }: Ledger): Promise<void> {
  const time = new Date().toISOString();
  const data = { billing: { anthropic: 'metered' as const } };
  const type = 'pi.session.attributed.v1';
  const events = [exampleEvent({ number: 1, type, time, data }), exampleEvent({ number: 2, time })];
  const response = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  expect(await response.json()).toMatchObject({ accepted: 2 });
}

describe('budgets', () => {
  it('shows what the API says is used of each, its state, whether it asks first', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/budgets`);
    const table = page.getByRole('region', { name: 'Budgets', exact: true }).last();
    await table.locator('tbody tr').first().waitFor();
    const { rows } = await list();
    expect(await table.locator('tbody tr').count()).toBe(rows.length);
    for (const { name, used, state, isAtLeast, isHard, endsHeadlessRuns } of rows.filter((row) =>
      ['everything', 'small', 'plan'].includes(row.name),
    )) {
      const row = table.locator('tbody tr').filter({ has: page.getByText(name, { exact: true }) });
      const text = (await row.textContent()) ?? '';
      const shown = `$${Number(used).toFixed(2)}`.replace(/\B(?=(\d{3})+\.)/, ',');
      expect(text).toContain(`${isAtLeast ? '≥at least ' : ''}${shown}`);
      expect(text).toContain(state ?? 'n/a');
      expect(text.includes('asks first')).toBe(isHard);
      expect(text.includes('ends headless runs')).toBe(endsHeadlessRuns);
    }
    const raised = table.locator('tbody tr').filter({ hasText: 'raised' });
    expect(await raised.textContent()).toContain('$90,000.00 until 31 Dec 2099, usually $300.00');
    expect(problems()).toEqual([]);
  });

  it('shows what the API says was used of plans', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/budgets`);
    const table = page.getByRole('region', { name: 'What was used of plans' }).last();
    await table.locator('tbody tr').first().waitFor();
    const { rows } = await answerOf<Answers['GET /v1/quota/history']>(ledger, '/v1/quota/history');
    expect(rows.map(({ name }) => name)).toEqual(['5 h', 'week']);
    const shown = await table.locator('tbody tr').allTextContents();
    const words = rows
      .toSorted((left, right) => right.usedWindows - left.usedWindows)
      .map(({ provider, name, windows, usedWindows, fullWindows }) =>
        [provider, name, 1, windows, usedWindows.toFixed(2), fullWindows].join(''),
      );
    expect(shown.map((text, index) => text.startsWith(words[index] ?? '?'))).toEqual([true, true]);
    expect(problems()).toEqual([]);
  });

  it('names commands and requests that have the same numbers', async () => {
    const { page } = await browser.open(`${ledger.url}/budgets?show=everything`);
    await page.getByRole('slider', { name: 'Sum so far of everything' }).waitFor();
    const [named = '', asked = ''] = await page.locator('.same-numbers code').allTextContents();
    const printed = await Promise.all(
      named.split('; ').map(async (command) => {
        const words = command.replace(/^node \S+\/pi-ledger\.mjs /, '');
        const { stdout } = await ledger.run(...words.split(' '), '--json');
        return stdout;
      }),
    );
    const urls = asked.split(', ').map((request) => request.replace(/^GET /, ''));
    const [budgetsUrl = '', crossingsUrl = '', quotaUrl = '', plansUrl = '', chartUrl = ''] = urls;

    const used = ({ rows }: Answers['GET /v1/budgets']) => rows.map((row) => [row.name, row.used]);
    const shown = used(await answerOf(ledger, budgetsUrl));
    expect(used(JSON.parse(printed[0] ?? ''))).toEqual(shown);
    expect(shown.map(([name]) => name)).toEqual(expect.arrayContaining(['everything', 'small']));
    type Crossings = Answers['GET /v1/budgets/crossings'];
    const crossings = await answerOf<Crossings>(ledger, crossingsUrl);
    expect(JSON.parse(printed[1] ?? '')).toMatchObject({ rows: crossings.rows });
    expect(await page.locator('.crossings li').count()).toBe(Math.min(crossings.rows.length, 8));
    const { rows: windows } = await answerOf<Answers['GET /v1/quota']>(ledger, quotaUrl);
    const shares = windows.map(({ name, usedShare }) => ({ name, usedShare }));
    expect(JSON.parse(printed[2] ?? '')).toMatchObject({ rows: shares });
    expect(JSON.parse(printed[3] ?? '')).toEqual(await answerOf(ledger, plansUrl));

    const everything = (await list()).rows.find(({ name }) => name === 'everything');
    const since = everything?.period?.start.slice(0, 10) ?? '';
    const { rows: days } = await answerOf<Answers['GET /v1/usage']>(ledger, chartUrl);
    const spent = days
      .filter(({ day }) => (day ?? '') >= since)
      .reduce((sum, { meteredNanoUsd }) => sum + BigInt(meteredNanoUsd), 0n);
    expect(Number(everything?.used)).toBeCloseTo(Number(spent) / 1e9, 6);
  });

  it('opens the chart of one by its link, and keeps it in the URL', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/budgets?show=small`);
    await page.getByRole('slider', { name: 'Sum so far of small' }).waitFor();
    await page.getByRole('link', { name: 'tokens', exact: true }).click();
    await page.getByRole('slider', { name: 'Sum so far of tokens' }).waitFor();
    expect(new URL(page.url()).searchParams.get('show')).toBe('tokens');
    await page.goBack();
    await page.getByRole('slider', { name: 'Sum so far of small' }).waitFor();
    expect(problems()).toEqual([]);
  });

  it('says when budgets were crossed, newest first', async () => {
    const { page } = await browser.open(`${ledger.url}/budgets`);
    const items = page.locator('.crossings li');
    await items.first().waitFor();
    type Crossings = Answers['GET /v1/budgets/crossings'];
    const { rows } = await answerOf<Crossings>(ledger, '/v1/budgets/crossings');
    const texts = await items.allTextContents();
    expect(
      texts.map((text) => rows.some(({ budget }) => text.includes(`${budget}: over`))),
    ).toEqual(rows.map(() => true));
  });

  it('shows names of others as text', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/budgets`);
    await page.locator('tbody bdi', { hasText: '<img src=x' }).first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expect(problems()).toEqual([]);
  });

  it('stands on the overview, month and what is over, and in the palette', async () => {
    const { page, problems } = await browser.open(ledger.url);
    await page.getByRole('link', { name: '$100,000.00 limit' }).waitFor();
    const alarm = page.locator('.attention li', { hasText: 'small: over' });
    await alarm.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('budget plan');
    await page.keyboard.press('Enter');
    await page.getByRole('slider', { name: 'Sum so far of plan' }).waitFor();
    expect(problems()).toEqual([]);
  });

  it('shows a crossing as it happens, without a reload', async () => {
    const limit = { name: 'live', limit: 0.000_001, ...month };
    const live = await startedLedger({ data: 'none', settings: { budgets: [limit] } });
    const { page, problems } = await browser.open(`${live.url}/budgets`);
    await page.getByText('No budget has come into another state.').waitFor();
    await spendIn(live);
    await page.locator('.crossings li', { hasText: 'live: over' }).waitFor();
    expect(problems()).toEqual([]);
  });

  it('says which notices were sent, where, and when again, but no secret', async () => {
    const [up, down] = [await startEndpoint(statuses(200)), await startEndpoint(statuses(503))];
    const webhooks = [up, down].map(({ url }) => ({ url: url.href, format: 'json' }));
    const settings = { budgets: [{ name: hostile, limit: 0.000_001, ...month }], webhooks };
    const told = await startedLedger({ data: 'none', settings });
    const positions = async () => {
      const { subscribers = [] } = await answerOf<Answers['GET /v1/health']>(told, '/v1/health');
      return subscribers.map(({ position }) => position);
    };
    // What was there before is not sent.
    await expect.poll(positions).toEqual([expect.any(Number), expect.any(Number)]);
    await spendIn(told);
    await expect.poll(() => down.received.length).toBeGreaterThan(0);
    await expect.poll(() => up.received.length).toBe(1);
    type Deliveries = Answers['GET /v1/budgets/deliveries'];
    const rowsOf = async () =>
      (await answerOf<Deliveries>(told, '/v1/budgets/deliveries')).rows.map(({ status }) => status);
    await expect.poll(async () => (await rowsOf()).toSorted()).toEqual(['delivered', 'waiting']);
    const { page, problems, axeViolations } = await browser.open(`${told.url}/budgets`);
    const table = page.getByRole('region', { name: 'Notices sent' }).last();
    const waiting = table.locator('tbody tr', { hasText: 'waiting' });
    expect(await waiting.textContent()).toContain('HTTP 503');
    expect(await waiting.locator('td').nth(6).textContent()).toMatch(/\d\d/);
    const delivered = await table.locator('tbody tr', { hasText: 'delivered' }).textContent();
    expect(delivered).toContain('overdelivered');
    expect(delivered).toContain('–none');
    expect(await page.content()).not.toContain('s3cr3t');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await axeViolations()).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('says nothing of notices where none was sent', async () => {
    const { page } = await browser.open(`${ledger.url}/budgets`);
    await page.getByRole('heading', { name: 'Quota windows of subscriptions' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Notices sent' }).count()).toBe(0);
  });

  it('says what was likely, and what was expected then', async () => {
    const limit = { name: 'rising', per: 'day', limit: 8, in: 'metered dollars' };
    const settings = { budgets: [{ ...limit, timeZone: 'UTC', warnByForecast: true }] };
    const live = await startedLedger({ data: 'none', settings });
    const timeOf = (day: number) => new Date(Date.now() - day * 86_400_000).toISOString();
    const days = Array.from({ length: 28 }, (_, index) => 28 - index);
    const spent = days.map((day, index) =>
      turn(timeOf(day), { costNanoUsd: 10_000_000_000, responseId: `r${index}` }),
    );
    const response = await fetch(`${live.url}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: JSON.stringify([attributed(timeOf(29)), ...spent]),
    });
    expect(await response.json()).toMatchObject({ accepted: 29 });
    const { page, problems } = await browser.open(`${live.url}/budgets`);
    const item = page.locator('.crossings li', { hasText: 'rising: likely to pass it' });
    await item.waitFor();
    expect(await item.textContent()).toContain('$0.00 of $8.00, 0 %; ~estimated $10.00 at its end');
    expect(problems()).toEqual([]);
  });

  it('has the lines of config.json where no budget is set', async () => {
    const { page, problems } = await browser.open(`${unlimited.url}/budgets`);
    await page.getByText('No budget is set.').waitFor();
    expect(await page.locator('pre').textContent()).toContain('"per": "month"');
    const note = page.locator('.note', { hasText: 'In config.json' });
    expect(await note.textContent()).toContain('"warnByForecast": true gives notice when');
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    expect(problems()).toEqual([]);
  });

  it.each([
    ['light', 1_440],
    ['dark', 1_440],
    ['light', 390],
    ['light', 360],
  ] as const)('breaks no rule of accessibility and fits, %s, %i px', async (theme, width) => {
    const { page, axeViolations } = await browser.open(`${ledger.url}/budgets`, { theme, width });
    await page.getByRole('slider', { name: /^Sum so far/ }).waitFor();
    expect(await axeViolations()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });
});
