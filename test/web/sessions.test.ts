/** The sessions in a real browser, beside the API's own answers. */
import type { Answers } from '@pi-ledger/contract/answers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';
import { savedBy } from './support/saved.ts';

type List = Answers['GET /v1/sessions'];
type Details = Answers['GET /v1/sessions/{id}'];
type Line = Answers['GET /v1/sessions/{id}/timeline'];
type Series = Answers['GET /v1/context/{session}/series'];

const browser = useBrowser();
let ledger: Ledger;
/** The session with most turns that compacted and spent metered money. */
let id: string;
beforeAll(async () => {
  ledger = await startedLedger();
  const { rows } = await answerOf<List>(ledger, '/v1/sessions?limit=1000');
  const known = rows.filter(({ compactions, meteredNanoUsd }) => {
    return compactions > 0 && meteredNanoUsd !== '0';
  });
  id = known.toSorted((one, other) => other.turns - one.turns)[0]?.id ?? '';
});

const figure = (page: Page, label: string) =>
  page.locator('.figure', { has: page.getByText(label, { exact: true }) }).locator('.value');

/** The find that is gone to. */
const isInView = (page: Page) =>
  page.locator('.lanes .ring').evaluate((ring) => {
    const { top, bottom } = ring.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

describe('the list of sessions', () => {
  it('is sorted by the API over all pages, and goes on', async () => {
    const { page, problems } = await browser.open(
      `${ledger.url}/sessions?range=year&sort=sessions:metered:down`,
    );
    const rows = page.getByRole('region', { name: 'Sessions' }).locator('tbody tr[data-row]');
    await rows.nth(49).waitFor();
    const year = new Date().getFullYear();
    const asked = `/v1/sessions?since=${year}-01-01&sort=metered&total=include`;
    const all = await answerOf<List>(ledger, `${asked}&limit=1000`);
    const hrefs = () =>
      rows
        .locator('td:first-child a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('?')[0]));
    const expected = (count: number) =>
      all.rows.slice(0, count).map((row) => `/sessions/${row.id}`);
    expect(await hrefs()).toEqual(expected(50));
    await page.getByText(`50 of ${all.total}`).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await rows.nth(99).waitFor();
    expect(await hrefs()).toEqual(expected(100));
    expect(problems()).toEqual([]);
  });

  it('sorts by every column, over all sessions, and opens one by a press anywhere', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/sessions?range=year`);
    const turns = page.getByRole('columnheader', { name: 'Turns' });
    await turns.getByRole('button').click();
    const since = `${new Date().getFullYear()}-01-01`;
    const all = await answerOf<List>(ledger, `/v1/sessions?since=${since}&limit=1000`);
    const most = all.rows.toSorted((one, other) => other.turns - one.turns)[0];
    const first = page.locator('tbody tr[data-row]').first();
    await expect
      .poll(() => first.locator('td').allTextContents())
      .toContain(String(most?.turns ?? 0));
    await first.locator('td').last().click();
    await page.getByRole('heading', { level: 1, name: 'Session' }).waitFor();
    expect(problems()).toEqual([]);
  });

  it('is saved whole, not only the rows that are loaded', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/sessions?range=year`);
    await page.locator('tbody tr[data-row]').first().waitFor();
    const press = () => page.getByRole('button', { name: 'CSV' }).click();
    const { name, text: csv } = await savedBy(page, press);
    expect(name).toBe('sessions.csv');
    const since = `${new Date().getFullYear()}-01-01`;
    const all = await answerOf<List>(ledger, `/v1/sessions?since=${since}&limit=1000`);
    expect(all.rows.length).toBeGreaterThan(50);
    const ids = csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect(ids).toEqual(all.rows.map((row) => row.id));
    expect(problems()).toEqual([]);
  });

  it('opens a session, and comes back', async () => {
    const { page } = await browser.open(`${ledger.url}/sessions?range=year`);
    await page.locator('tbody tr[data-row] a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Session' }).waitFor();
    await page.goBack();
    await page.locator('tbody tr[data-row]').first().waitFor();
  });
});

describe('a session', () => {
  it('says what the API says', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/sessions/${id.slice(0, 13)}`);
    const details = await answerOf<Details>(ledger, `/v1/sessions/${id}`);
    const usd = (Number(details.meteredNanoUsd) / 1e9).toFixed(4);
    await page.locator('.figure').first().waitFor();
    expect(await figure(page, 'Metered').textContent()).toContain(usd);
    expect(await figure(page, 'Turns').textContent()).toBe(String(details.turns));
    expect(await figure(page, 'Compactions').textContent()).toBe(String(details.compactions));
    expect(problems()).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('finds a tool in the time line by keys, %s, %i px', async (theme, width) => {
    const { items } = await answerOf<Line>(ledger, `/v1/sessions/${id}/timeline?points=1000`);
    const calls = items.filter(({ kind, name }) => kind === 'tool' && name.includes('bash'));
    const all = calls.length;
    expect(all).toBeGreaterThan(1);
    const { page, problems, axeViolations } = await browser.open(`${ledger.url}/sessions/${id}`, {
      theme,
      width,
    });
    const lanes = page.locator('svg.lanes');
    await lanes.waitFor();
    expect(await lanes.locator('.faint').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Find in the time line' }).focus();
    await page.keyboard.type('BASH');
    await page.getByText(`${all} found`).waitFor();
    const boxes = await lanes.locator('g.faint + g path.s2').getAttribute('d');
    const failed = await lanes.locator('g.faint + g path.failed').getAttribute('d');
    expect(`${boxes}${failed}`.split('M').length - 1).toBe(all);
    expect(await lanes.locator('.ring').count()).toBe(0);
    const ringX = () => lanes.locator('.ring').getAttribute('x').then(Number);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.keyboard.press('Enter');
    await page.getByText(`1 of ${all}: bash, turn `).waitFor();
    const first = await ringX();
    await expect.poll(() => isInView(page)).toBe(true);
    await page.keyboard.press('Shift+Enter');
    await page.getByText(`${all} of ${all}: bash, turn `).waitFor();
    expect(await ringX()).toBeGreaterThan(first);
    const told = await page.locator('.span-find [role=status]').textContent();
    expect(new URL(page.url()).searchParams.get('turn')).toBe(told?.match(/turn (\d+)/)?.[1]);
    expect(page.url().toLowerCase()).not.toContain('bash');
    await page.getByRole('button', { name: 'next', exact: true }).click();
    await page.getByText(`1 of ${all}: bash, turn `).waitFor();
    expect(await axeViolations()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(
      false,
    );
    await page.getByRole('searchbox', { name: 'Find in the time line' }).press('Escape');
    await lanes.locator('.faint').waitFor({ state: 'detached' });
    expect(problems()).toEqual([]);
  });

  it('shows a part that is dragged over on the strip, and all of it again', async () => {
    const { page, problems, axeViolations } = await browser.open(`${ledger.url}/sessions/${id}`);
    const { points } = await answerOf<Series>(ledger, `/v1/context/${id}/series?points=1000`);
    const turns = points.at(-1)?.turn ?? 0;
    const strip = page.getByRole('slider', { name: 'Part of the session' });
    await strip.waitFor();
    const ground = await strip.locator('rect.ground').boundingBox();
    if (ground === null) throw new Error('there is no strip');
    const { x, y, width, height } = ground;
    await page.mouse.move(x + width * 0.25, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.5, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).searchParams.has('from')).toBe(true);
    const told = await strip.getAttribute('aria-valuetext');
    const [, first, last] = /^turns (\d+) to (\d+) of (\d+)$/.exec(told ?? '') ?? [];
    expect(told).toContain(` of ${turns}`);
    expect(Number(first)).toBeGreaterThan(1);
    expect(Number(last)).toBeLessThan(turns);
    // The API has the same turns between the times that stand in the URL.
    const { search } = new URL(page.url());
    const { items } = await answerOf<Line>(ledger, `/v1/sessions/${id}/timeline${search}`);
    const shown = items.filter(({ kind }) => kind === 'turn').map(({ turn }) => turn);
    expect([shown[0], shown.at(-1)]).toEqual([Number(first), Number(last)]);
    await page.getByText(`a part of ${turns}: show all`).waitFor();
    // Prompts keep their numbers, in the table as in the lanes.
    const all = await answerOf<Line>(ledger, `/v1/sessions/${id}/timeline?points=1000`);
    const begin = items[0]?.time ?? '';
    const earlier = all.items.filter(({ kind, time }) => kind === 'prompt' && time < begin);
    await page.getByText(`Prompt ${earlier.length + 1}`, { exact: true }).waitFor();
    await page.getByRole('slider', { name: 'Turns' }).focus();
    await page.keyboard.press('Home');
    await page.getByText(new RegExp(`^turn ${first}: `, 'i')).waitFor();
    expect(await axeViolations()).toEqual([]);
    await page.reload();
    await expect.poll(() => strip.getAttribute('aria-valuetext')).toBe(told);
    await strip.focus();
    await page.keyboard.press('+');
    await expect.poll(() => strip.getAttribute('aria-valuetext')).not.toBe(told);
    await page.keyboard.press('Escape');
    await expect.poll(() => strip.getAttribute('aria-valuetext')).toBe(`all ${turns} turns`);
    expect(new URL(page.url()).pathname).toBe(`/sessions/${id}`);
    expect(problems()).toEqual([]);
  });

  it('draws each series as one path, the threshold and a rule for each compaction', async () => {
    const { page } = await browser.open(`${ledger.url}/sessions/${id}`);
    const charts = page.getByRole('figure', { name: 'Context, cost and time' });
    await charts.locator('svg.lanes').waitFor();
    const { points } = await answerOf<Series>(ledger, `/v1/context/${id}/series?points=1000`);
    const rules = await charts.locator('path.rule').first().getAttribute('d');
    const compactions = points.filter(({ kind }) => kind === 'compaction');
    expect(rules?.split('M').length).toBe(compactions.length + 1);
    expect(await charts.locator('path.limit').getAttribute('d')).not.toBe('');
    expect(await charts.locator('path').count()).toBeLessThan(40);
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    expect(nodes).toBeLessThanOrEqual(1_500);
  });

  it('has a turn in its URL, which says what filled the window then', async () => {
    const { page } = await browser.open(`${ledger.url}/sessions/${id}?turn=5`);
    const { points } = await answerOf<Series>(ledger, `/v1/context/${id}/series?points=1000`);
    const point = points.find(({ kind, turn }) => kind === 'turn' && turn === 5);
    const at = `/v1/context/${id}?points=10&at=${point?.entryId}`;
    const { composition } = await answerOf<Answers['GET /v1/context/{session}']>(ledger, at);
    const fills = page.getByRole('region', { name: 'What fills the window' });
    await fills.getByText('turn 5', { exact: true }).waitFor();
    const total = composition.totalTokens.toLocaleString('en-GB');
    await fills.locator('tfoot').getByText(total).waitFor();
    const area = page.getByRole('slider', { name: 'Turns' });
    await area.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await fills.getByText('turn 6', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('turn')).toBe('6');
  });

  it.each(['light', 'dark'] as const)('breaks no rule of accessibility, %s', async (theme) => {
    const { page, axeViolations } = await browser.open(`${ledger.url}/sessions/${id}`, { theme });
    await page.locator('svg.lanes').waitFor();
    await page.locator('.turns tbody tr.line').first().waitFor();
    expect(await axeViolations()).toEqual([]);
  });

  it('says in words that there is no such session', async () => {
    const { page } = await browser.open(`${ledger.url}/sessions/none-such`);
    await page.getByRole('alert').waitFor();
  });

  it('fits into 360 px', async () => {
    const { page } = await browser.open(`${ledger.url}/sessions/${id}`, { width: 360 });
    await page.locator('svg.lanes').waitFor();
    const isWider = () => document.documentElement.scrollWidth > innerWidth;
    expect(await page.evaluate(isWider)).toBe(false);
  });
});
