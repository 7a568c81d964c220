/** Which days are shown, and how one gets to others. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { startedLedger } from './support/collector.ts';

const browser = useBrowser();
let ledger: Ledger;
beforeAll(async () => {
  ledger = await startedLedger();
});

const rangeIn = (page: Page) => new URL(page.url()).searchParams.get('range');
const chartOf = (page: Page) => page.getByRole('slider', { name: /Spend/ });
const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);

describe('a period', () => {
  it.each([
    ['yesterday', 'Yesterday'],
    ['last-month', 'Last month'],
    ['all', 'All time'],
  ])('%s can be picked, and is the first figure', async (range, words) => {
    const { page, problems } = await browser.open(`${ledger.url}/`);
    await page.getByRole('combobox', { name: 'Period' }).selectOption(range);
    await expect.poll(() => rangeIn(page)).toBe(range);
    const first = page.locator('.first-line .figure').first();
    await expect.poll(() => first.locator('.label').textContent()).toBe(words);
    expect(problems()).toEqual([]);
  });

  it('has days of a calendar', async () => {
    const { page } = await browser.open(`${ledger.url}/`);
    await page.getByRole('combobox', { name: 'Period' }).selectOption('Choose days');
    await page.getByLabel('First day').fill(day(9));
    await page.getByLabel('Last day').fill(day(3));
    await expect.poll(() => rangeIn(page)).toBe(`${day(9)}..${day(3)}`);
  });

  it('is what is dragged over on the chart', async () => {
    const { page } = await browser.open(`${ledger.url}/?range=${day(20)}..${day(1)}`);
    const chart = chartOf(page);
    await chart.locator('path.solid[d^=M]').first().waitFor();
    const box = await chart.boundingBox();
    if (box === null) throw new Error('there is no chart');
    const column = (box.width - 48) / 20;
    const x = (index: number) => box.x + 48 + column * (index + 0.5);
    await page.mouse.move(x(4), box.y + 60);
    await page.mouse.down();
    await page.mouse.move(x(6), box.y + 60);
    await page.mouse.move(x(8), box.y + 60);
    await page.mouse.up();
    await expect.poll(() => rangeIn(page)).toBe(`${day(16)}..${day(12)}`);
  });

  it.each([
    ['yesterday', /^yesterday$/],
    [day(12), new RegExp(`^${day(12)}..${day(12)}$`)],
    ['last week', /^[\d-]{10}\.\.[\d-]{10}$/],
  ])('is understood as typed: %s', async (text, range) => {
    const { page } = await browser.open(`${ledger.url}/`);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Go to, or search' }).fill(text);
    await page.locator('.found').first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => rangeIn(page)).toMatch(range);
  });
});

it.each(['2026-11-10..2026-11-01', 'garbage'])('?range=%s is said to be none', async (range) => {
  const { page, problems } = await browser.open(`${ledger.url}/?range=${range}`);
  const scope = page.locator('.scope');
  await scope.getByText('The address named no period that can be shown.').waitFor();
  const shown = page.getByRole('combobox', { name: 'Period' });
  expect(await shown.inputValue()).toBe('30d');
  await shown.selectOption('7d');
  await scope.getByText('The address named').waitFor({ state: 'detached' });
  expect(problems()).toEqual([]);
});

it.each([1, 2])('%d days are drawn by hour', async (days) => {
  const { page, problems } = await browser.open(`${ledger.url}/?range=${day(days)}..${day(1)}`);
  await page.getByRole('heading', { name: 'Spend per hour' }).waitFor();
  const chart = chartOf(page);
  await chart.locator('path.solid[d^=M], path.pale[d^=M]').first().waitFor();
  expect(Number(await chart.getAttribute('aria-valuemax'))).toBeGreaterThanOrEqual(days * 24 - 1);
  expect(problems()).toEqual([]);
});
