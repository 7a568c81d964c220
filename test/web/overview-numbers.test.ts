/** What the overview says, beside the API; and what its choices, its chart and its list do. */
import type { Answers, UsageFigures } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatMoney } from '../../dashboards/web/format/money.ts';
import { amountOf } from '../../dashboards/web/format/spend.ts';
import { exampleEvent } from '../collector/support/events.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

const browser = useBrowser();
const hostile = `<img src=x onerror="document.title='hit'">\u202E${'long'.repeat(75)}`;
let ledger: Ledger;
beforeAll(async () => {
  ledger = await startedLedger();
  await spendIn(hostile);
});

async function spendIn(project: string): Promise<void> {
  const time = new Date().toISOString();
  const session = { subject: 'hostile', time };
  const attributed = {
    project: { name: project, remote: null, branch: '<b>main', worktree: null },
  };
  const type = 'pi.session.attributed.v1';
  const events = [
    exampleEvent({ number: 1, type, ...session, data: attributed }),
    exampleEvent({ number: 2, ...session }),
  ];
  const response = await fetch(`${ledger.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  expect(await response.json()).toMatchObject({ accepted: 2 });
}

function moneyIn(figures: UsageFigures, billing: Billing): string {
  const { nanoUsd, mark } = amountOf(figures, billing);
  if (nanoUsd === null) return 'n/a';
  if (nanoUsd === 0n && mark === 'exact') return '–none';
  return `${mark === 'atLeast' ? '≥at least ' : ''}${formatMoney(nanoUsd)}`;
}

const tableOf = (page: Page, name: string) => page.getByRole('region', { name }).last();
const figure = (page: Page, label: RegExp) => page.locator('.figure').filter({ hasText: label });
const rowsOf = (table: Locator) =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
    );
const usage = (query: string) => answerOf<Answers['GET /v1/usage']>(ledger, `/v1/usage?${query}`);
const rangeIn = (page: Page) => new URL(page.url()).searchParams.get('range');

/** The days that the page shows, from the request that it names. */
async function periodOf(page: Page): Promise<string> {
  const text = (await page.locator('.same-numbers').textContent()) ?? '';
  return /since=[\d-]+&until=[\d-]+/.exec(text)?.[0] ?? '';
}

describe('the numbers of the overview', () => {
  it('are those of the API, metered and subscription apart', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/?range=30d`);
    const table = tableOf(page, 'Models');
    await table.getByText('demo-deep').waitFor();
    const { rows } = await usage(`by=model&${await periodOf(page)}`);
    const shown = new Map((await rowsOf(table)).map((cells) => [cells[0], cells]));
    expect(shown.size).toBe(rows.length);
    for (const row of rows) {
      const [, metered, , subscription] = shown.get(row.model ?? '') ?? [];
      expect([row.model, metered]).toEqual([row.model, moneyIn(row, 'metered')]);
      expect([row.model, subscription]).toEqual([row.model, moneyIn(row, 'subscription')]);
    }
    expect(problems()).toEqual([]);
  });

  it('have totals of the whole period below the projects', async () => {
    const { page } = await browser.open(`${ledger.url}/`);
    const foot = tableOf(page, 'Projects').locator('tfoot td');
    await tableOf(page, 'Projects').getByText('demo-shop').waitFor();
    const { rows, total } = await usage(`by=project&sessions=include&${await periodOf(page)}`);
    const cells = await foot.allTextContents();
    expect(cells[0]).toBe(`${rows.length} of ${rows.length}`);
    expect(cells).toContain(moneyIn(total, 'metered'));
    expect(cells).toContain(moneyIn(total, 'subscription'));
    expect(cells).toContain(String(total.sessions));
  });

  it('begin with today and the month: filters change them, the range does not', async () => {
    const { page } = await browser.open(`${ledger.url}/`);
    const month = figure(page, /of \d+ days/).locator('.value');
    await expect.poll(() => month.textContent()).toMatch(/\d/);
    const whole = await month.textContent();
    const day = new Date();
    const first = `${day.toISOString().slice(0, 7)}-01`;
    const { total } = await usage(`by=project&since=${first}`);
    expect(whole?.trim()).toBe(moneyIn(total, 'metered'));
    await page.getByRole('combobox', { name: 'Period' }).selectOption('7d');
    await expect.poll(() => rangeIn(page)).toBe('7d');
    expect(await month.textContent()).toBe(whole);
    const shop = await browser.open(`${ledger.url}/?project=demo-shop`);
    const narrowed = figure(shop.page, /of \d+ days/).locator('.value');
    const ofShop = await usage(`by=project&since=${first}&project=demo-shop`);
    await expect
      .poll(async () => (await narrowed.textContent())?.trim())
      .toBe(moneyIn(ofShop.total, 'metered'));
  });
});

describe('the chart of days', () => {
  it('is drawn as a path for each series, tells a day by keys, and opens it', async () => {
    const { page } = await browser.open(`${ledger.url}/`);
    const chart = page.getByRole('slider', { name: /Spend/ });
    await chart.locator('path.solid[d^=M]').first().waitFor();
    expect(await chart.locator('path.solid').count()).toBeLessThanOrEqual(6);
    await chart.focus();
    await page.keyboard.press('End');
    const said = await chart.getAttribute('aria-valuetext');
    expect(said).toMatch(/metered/);
    await page.keyboard.press('Enter');
    await expect.poll(() => rangeIn(page)).toMatch(/^(\d{4}-\d\d-\d\d)\.\.\1$/);
    await page.goBack();
    await expect.poll(() => rangeIn(page)).toBeNull();
  });

  it('is stacked as the link says', async () => {
    const { page } = await browser.open(`${ledger.url}/?by=model&unit=tokens`);
    const pressed = page.locator('.choices [aria-pressed=true]');
    await expect.poll(() => pressed.allTextContents()).toEqual(['model', 'tokens']);
    const models = tableOf(page, 'Models');
    await models.getByText('demo-deep').waitFor();
    expect(await models.locator('.swatch').count()).toBe((await rowsOf(models)).length);
    expect(await tableOf(page, 'Projects').locator('.swatch').count()).toBe(0);
  });
});

describe('what needs attention', () => {
  it('opens exactly the rows that it counted, and each of them', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/`);
    const item = page.locator('.attention li', { hasText: /\d+ (sessions|models)/ }).first();
    const link = item.locator('.go a');
    await link.waitFor();
    const counted = Number.parseInt((await link.textContent()) ?? '', 10);
    const words = (await item.locator('.title').textContent()) ?? '';
    await link.click();
    await page.getByRole('heading', { level: 1, name: words }).waitFor();
    const foot = tableOf(page, 'Counted').locator('tfoot td').first();
    await expect.poll(() => foot.textContent()).toContain(`of ${counted}`);
    await page.reload();
    await expect.poll(() => foot.textContent()).toContain(`of ${counted}`);
    expect(problems()).toEqual([]);
  });

  it('stands by billing, and can be hidden for good', async () => {
    const { page } = await browser.open(`${ledger.url}/`);
    const hide = page.getByRole('button', { name: /^Hide: / }).first();
    await hide.waitFor();
    const name = (await hide.getAttribute('aria-label')) ?? '';
    await hide.click();
    await page.getByText('1 hidden').waitFor();
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    const { hiddenRows } = await answerOf<Answers['GET /v1/insights']>(ledger, '/v1/insights');
    expect(hiddenRows).toBe(1);
  });
});

it('shows hostile names as text, cut, on every width', async () => {
  for (const width of [360, 1_440]) {
    const { page, problems } = await browser.open(`${ledger.url}/?range=today`, { width });
    const name = tableOf(page, 'Projects').locator('bdi').filter({ hasText: '<img src=x' });
    await name.waitFor();
    expect(await name.textContent()).toContain('…');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toContain('hit');
    const isWider = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(isWider)).toBe(false);
    expect(problems()).toEqual([]);
  }
});

it('says that a period is empty, with a step that helps', async () => {
  const { page } = await browser.open(`${ledger.url}/?range=2020-01-01..2020-01-09`);
  await page.getByText('Nothing was spent in these days.').waitFor();
  await page.getByRole('link', { name: 'Last 90 days' }).click();
  await tableOf(page, 'Projects').getByText('demo-shop').waitFor();
  expect(rangeIn(page)).toBe('90d');
});

it('asks at most four times, each question once, and has at most 1,500 elements', async () => {
  const { page } = await browser.open(`${ledger.url}/`);
  // What this load still asks is over before the one that counts.
  await page.goto('about:blank');
  // When the stream connects, all is asked again: how often in all then depends on when that is.
  await page.route('**/v1/live*', () => undefined);
  const asked: URL[] = [];
  page.on('request', (request) => asked.push(new URL(request.url())));
  await page.goto(`${ledger.url}/`);
  await page
    .getByRole('button', { name: /^Hide: / })
    .first()
    .waitFor();
  await page.locator('.heat-5[d^=M]').waitFor({ state: 'attached' });
  const requests = asked.filter(({ pathname }) => pathname === '/v1/answers');
  expect(requests.length).toBeLessThanOrEqual(4);
  const questions = requests.flatMap(({ searchParams }) => searchParams.getAll('ask'));
  expect(questions.length).toBeGreaterThan(10);
  expect(new Set(questions).size).toBe(questions.length);
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1_500);
});
