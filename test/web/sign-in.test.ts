/** The page of a collector that asks for tokens. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { startedLedger } from './support/collector.ts';

const browser = useBrowser({ isWhole: true });
let ledger: Ledger;
let token: string;
let tokenId: string;

beforeAll(async () => {
  ledger = await startedLedger({
    settings: { auth: 'required' },
    async before(created) {
      const made = await created.run(
        'token',
        'create',
        '--user',
        'ada',
        '--scope',
        'read',
        '--json',
      );
      ({ token, id: tokenId } = JSON.parse(made.stdout));
    },
  });
});

async function openSignIn() {
  const opened = await browser.open(`${ledger.url}/?by=model`);
  await opened.page.getByLabel('Token').waitFor();
  return opened;
}

describe('the page with tokens on', () => {
  it('holds no figure before somebody has signed in', async () => {
    const html = await (await fetch(`${ledger.url}/`)).text();
    expect(html).not.toContain('demo-');
    expect(html).not.toContain('first-answers');
  });

  it('shows nothing to a token that is none', async () => {
    const { page } = await openSignIn();
    await page.getByLabel('Token').fill('plt_0000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await page.getByText('demo-weather').count()).toBe(0);
  });

  it('takes a token, keeps it out of URL and storage, and forgets it by a click', async () => {
    const { page, axeViolations } = await openSignIn();
    expect(await axeViolations()).toEqual([]);
    await page.getByLabel('Token').fill(` ${token} `);
    await page.keyboard.press('Enter');
    await page.getByText('demo-weather').first().waitFor();
    expect(new URL(page.url()).search).toBe('?by=model');
    const kept: string = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location])',
    );
    expect(kept).not.toContain(token);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await page.getByText('demo-weather').count()).toBe(0);
  });

  it('asks for a token again once this one is revoked', async () => {
    const { page } = await openSignIn();
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByText('demo-weather').first().waitFor();
    await ledger.run('token', 'revoke', tokenId);
    await page.getByRole('link', { name: 'Models and tools' }).click();
    await page.getByLabel('Token').waitFor();
  });
});
