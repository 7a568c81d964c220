/** What views say where there is nothing to show: why, and one step. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { startedLedger } from './support/collector.ts';

const browser = useBrowser();
const views = ['projects', 'sessions', 'compactions', 'models'];
let full: Ledger;
let empty: Ledger;
beforeAll(async () => {
  full = await startedLedger();
  empty = await startedLedger({ data: 'none' });
});

describe('a view without rows', () => {
  it.each(views)('says how to begin where nothing is recorded: %s', async (view) => {
    const { page, problems } = await browser.open(`${empty.url}/${view}`);
    await page.getByRole('link', { name: 'How to begin' }).first().click();
    await page.getByRole('heading', { name: 'Nothing is recorded yet' }).waitFor();
    expect(problems()).toEqual([]);
  });

  it.each(views)('takes the filters away that nothing fits: %s', async (view) => {
    const { page, problems } = await browser.open(`${full.url}/${view}?user=nobody`);
    await page.getByRole('button', { name: 'Show all' }).first().click();
    await page.locator('tbody tr').first().waitFor();
    expect(new URL(page.url()).searchParams.has('user')).toBe(false);
    expect(problems()).toEqual([]);
  });
});
