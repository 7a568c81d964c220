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

  const ofModels = [
    ['Tools', 'No tool call'],
    ['Cost of tools', 'No tool call'],
    ['The same tokens at another price', 'No answer of a known model'],
    ['Errors and retries', 'No failed attempt'],
    ['Failed attempts per day', 'No failed attempt'],
    ['What caches saved', 'No token read from or written to a cache'],
    ['Newest requests', 'No request'],
  ] as const;

  it.each(ofModels)('says why and one step, of models: %s', async (name, words) => {
    const { page, problems } = await browser.open(`${full.url}/models?user=nobody`);
    const heading = page.getByRole('heading', { name, exact: true });
    const section = page.locator('section.section', { has: heading });
    await section.getByText(`${words} fits the filter in this period.`).waitFor();
    expect(await section.locator('table, .chart').count()).toBe(0);
    await section.getByRole('button', { name: 'Show all' }).click();
    await section.getByText(words).waitFor({ state: 'detached' });
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
