/** The palette and the keys, in a real browser. */
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

async function openOverview(): Promise<Page> {
  const { page } = await browser.open(`${ledger.url}/`);
  await page.getByText('demo-weather').first().waitFor();
  return page;
}

async function openPalette(page: Page, key = 'Control+k'): Promise<void> {
  await page.keyboard.press(key);
  await page.getByRole('dialog').waitFor();
}

/** Path and query. */
function placeOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search}`;
}

describe('the palette', () => {
  it('goes to a project by its letters, and back', async () => {
    const page = await openOverview();
    await openPalette(page);
    await page.keyboard.type('weath');
    await page.getByRole('option').filter({ hasText: 'demo-weather' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => placeOf(page)).toBe('/projects/demo-weather');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goBack();
    expect(placeOf(page)).toBe('/');
  });

  it('adds what it found as a filter by Tab', async () => {
    const page = await openOverview();
    await openPalette(page, '/');
    await page.keyboard.type('demo-ada');
    await page.getByRole('option').filter({ hasText: 'demo-ada' }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => placeOf(page)).toBe('/?user=demo-ada');
    await page.getByRole('button', { name: 'user: demo-ada' }).click();
    await expect.poll(() => placeOf(page)).toBe('/');
  });

  it('narrows to a provider by its letters', async () => {
    const page = await openOverview();
    await openPalette(page, '/');
    await page.keyboard.type('provider anth');
    await page.getByRole('option').filter({ hasText: 'demo-anthropic' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => placeOf(page)).toBe('/?provider=demo-anthropic');
  });

  it('goes to a session by the beginning of its id', async () => {
    const page = await openOverview();
    await openPalette(page);
    await page.keyboard.type('01a2');
    await page.getByRole('option').filter({ hasText: '01a2' }).click();
    await expect.poll(() => placeOf(page)).toBe('/sessions/01a2');
  });

  it('closes by Escape and changes nothing', async () => {
    const page = await openOverview();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(placeOf(page)).toBe('/');
  });

  it('breaks no rule of accessibility', async () => {
    const { page, axeViolations } = await browser.open(`${ledger.url}/`);
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    expect(await axeViolations()).toEqual([]);
  });
});

describe('keys', () => {
  it.each([
    ['g s', '/sessions'],
    ['g h', '/health'],
    ['b m', '/?by=model'],
    ['$', '/?unit=tokens'],
  ])('%s goes to %s', async (keys, place) => {
    const page = await openOverview();
    for (const key of keys.split(' ')) await page.keyboard.press(key);
    await expect.poll(() => placeOf(page)).toBe(place);
  });

  it('[ goes to as many days before, ] back again', async () => {
    const page = await openOverview();
    await page.keyboard.press('[');
    await expect
      .poll(() => placeOf(page))
      .toMatch(/^\/\?range=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/);
    const before = placeOf(page);
    await page.keyboard.press(']');
    await page.keyboard.press('[');
    await expect.poll(() => placeOf(page)).toBe(before);
  });

  it('t switches between light and dark, and stays so after a reload', async () => {
    const page = await openOverview();
    const ground = () =>
      page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const light = await ground();
    await page.keyboard.press('t');
    expect(await ground()).not.toBe(light);
    await page.reload();
    expect(await ground()).not.toBe(light);
  });

  it('do nothing as letters once they are switched off', async () => {
    const page = await openOverview();
    await page.keyboard.press('?');
    await page.getByLabel('Letters are keys').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    expect(placeOf(page)).toBe('/');
    await page.keyboard.press('/');
    await page.getByRole('dialog').waitFor();
  });
});
