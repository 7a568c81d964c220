/** What has no room: a column goes by its priority, a digit never does. */
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

/** By how much tables are wider than their place, in px; a hair is no cut. */
function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.table')]
      .filter((table) => table.scrollWidth > table.clientWidth + 1)
      .map((table) => `${table.ariaLabel}: ${table.scrollWidth - table.clientWidth}`),
  );
}

const paths = ['/', '/sessions', '/models', '/compactions', '/budgets', '/projects'];

describe.each([1_280, 390])('at %d px', (width) => {
  it.each(paths)('no table of %s scrolls sideways', async (path) => {
    const { page } = await browser.open(`${ledger.url}${path}`, { width });
    await page.locator('.table td').first().waitFor();
    await expect.poll(() => page.locator('.loading').count()).toBe(0);
    expect(await tooWide(page)).toEqual([]);
  });
});

it('shows when a session was and what it cost at 390 px, and all else when asked', async () => {
  const { page } = await browser.open(`${ledger.url}/sessions`, { width: 390 });
  const heads = page.locator('.table th');
  await heads.first().waitFor();
  expect((await heads.allTextContents()).join()).toMatch(/Metered.*Subscription.*Last seen/);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => heads.allTextContents()).toContain('Turns');
});

it('has every view in reach at 390 px', async () => {
  const { page } = await browser.open(`${ledger.url}/`, { width: 390 });
  for (const link of await page.getByRole('navigation').getByRole('link').all()) {
    const box = await link.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
  }
});

describe('the readout of the chart', () => {
  it.each([1_440, 1_280])('tells each project of a day, whole, at %d px', async (width) => {
    const { page } = await browser.open(`${ledger.url}/`, { width });
    const chart = page.getByRole('slider', { name: /Spend/ });
    await chart.locator('path.solid[d^=M]').first().waitFor();
    await chart.focus();
    await page.keyboard.press('End');
    for (let day = 0; day < 6; day += 1) await page.keyboard.press('ArrowLeft');
    const readout = page.locator('.spend-chart .readout').first();
    const isCut = await readout.evaluate(
      (element) =>
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
    );
    expect(isCut).toBe(false);
    const told = await readout.locator('.swatch').count();
    expect(told).toBeGreaterThan(1);
    const amounts = page
      .getByRole('region', { name: 'Projects' })
      .last()
      .locator('.per-day .money');
    expect(await amounts.count()).toBe(told);
  });
});
