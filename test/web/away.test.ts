/** Views that are opened for the first time while the collector is away. */
import { expect, it } from 'vitest';
import { useBrowser } from './support/browser.ts';
import { startedLedger } from './support/collector.ts';

const browser = useBrowser({ isWhole: true });

it('a view whose code is not here yet says so, and opens when the collector is back', async () => {
  const ledger = await startedLedger({ data: 'none' });
  const { page, axeViolations } = await browser.open(`${ledger.url}/`);
  await page.getByRole('status').getByText('live').waitFor();
  await ledger.stop();
  await page.getByText('Collector stopped.').waitFor();
  await page.getByRole('link', { name: 'Budgets' }).click();
  await page.locator('main').getByText('It opens when the collector is back.').waitFor();
  expect(await axeViolations()).toEqual([]);
  await ledger.start();
  await page.getByRole('heading', { name: 'Budgets and quota' }).waitFor();
  expect(await page.getByText('when the collector is back').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/budgets');
});

it('a view whose code does not come from a collector that answers can be tried again', async () => {
  const ledger = await startedLedger({ data: 'none' });
  const { page } = await browser.open(`${ledger.url}/`);
  await page.getByRole('status').getByText('live').waitFor();
  await page.route(/budgets-.*\.js$/, (route) => route.abort());
  await page.evaluate('globalThis.isSamePage = true');
  await page.getByRole('link', { name: 'Budgets' }).click();
  await page.getByText('This view could not be loaded.').waitFor();
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  await page.unroute(/budgets-.*\.js$/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Budgets and quota' }).waitFor();
});
