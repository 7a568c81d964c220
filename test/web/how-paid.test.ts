/** Imported history: money of a third kind, until one click says how it is paid. */
import type { Answers } from '@pi-ledger/contract/answers';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleSpend } from '../../contract/spend.ts';
import { exampleEvent } from '../collector/support/events.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

const browser = useBrowser();
let ledger: Ledger;

/** What an import sends: nothing says how it is paid. */
beforeEach(async () => {
  ledger = await startedLedger({ data: 'none' });
  const time = new Date().toISOString();
  const ofProvider = (number: number, provider: string, usd: number) =>
    exampleEvent({
      number,
      subject: `of-${provider}`,
      time,
      data: { spend: { ...exampleSpend, provider, costNanoUsd: usd * 1_000_000_000 } },
    });
  const body = JSON.stringify([ofProvider(1, 'anthropic', 31), ofProvider(2, 'openai', 4)]);
  const headers = { 'content-type': 'application/cloudevents-batch+json' };
  const sent = await fetch(`${ledger.url}/v1/events`, { method: 'POST', headers, body });
  expect(await sent.json()).toMatchObject({ accepted: 2 });
});

const totals = async () =>
  (await answerOf<Answers['GET /v1/usage']>(ledger, '/v1/usage?by=provider')).total;

describe('money of which nobody said how it is paid', () => {
  it('leads where it is all there is, and is drawn in its own style', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/`);
    const [today, month] = [0, 1].map((at) => page.locator('.figure .value.large').nth(at));
    await expect.poll(() => today?.textContent()).toBe('$35.00 billing unknown');
    expect(await month?.textContent()).toBe('$35.00 billing unknown');
    await page.locator('.chart path.dotted[d]:not([d=""])').first().waitFor();
    expect(await page.locator('.chart path.solid').count()).toBe(0);
    const heads = page.getByRole('region', { name: 'Projects' }).last().locator('th');
    expect((await heads.allTextContents()).join(' ')).toMatch(/Per day Billing unknown/);
    expect(problems()).toEqual([]);
  });

  it('leads in the palette, too', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/`);
    await page.getByText('How is anthropic paid?').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('provider anth');
    const found = page.getByRole('option').filter({ hasText: 'anthropic' });
    await found.waitFor();
    expect(await found.textContent()).toBe('Provideranthropic$31.00 billing unknown');
    expect(problems()).toEqual([]);
  });

  it('is settled by a click for each provider, in all history', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/`);
    await page.getByText('How is anthropic paid?').waitFor();
    await page.getByRole('button', { name: 'anthropic is paid by use' }).click();
    await page.getByText('How is anthropic paid?').waitFor({ state: 'detached' });
    const large = page.locator('.figure .value.large').first();
    await expect.poll(() => large.textContent()).toBe('$31.00');
    const third = page.locator('.figure', { hasText: 'in neither sum' });
    expect(await third.textContent()).toContain('$4.00');
    // The rest is drawn, and named beside each sum.
    await page.locator('.chart path.dotted[d]:not([d=""])').first().waitFor();
    expect(await page.locator('.figure', { hasText: 'Today' }).textContent()).toContain(
      '$4.00 billing unknown',
    );
    expect(await totals()).toMatchObject({
      meteredNanoUsd: '31000000000',
      unknownBillingNanoUsd: '4000000000',
    });
    await page.getByRole('button', { name: 'openai is paid by a plan' }).press('Enter');
    await page.getByRole('region', { name: 'How is it paid?' }).waitFor({ state: 'detached' });
    expect(await totals()).toMatchObject({
      subscriptionNanoUsd: '4000000000',
      unknownBillingNanoUsd: '0',
    });
    expect(problems()).toEqual([]);
  });

  it('is asked later for who wants that', async () => {
    const { page } = await browser.open(`${ledger.url}/`);
    await page.getByRole('button', { name: 'Ask me later' }).click();
    expect(await page.getByText('How is').count()).toBe(0);
    await page.reload();
    await page.getByText('How is anthropic paid?').waitFor();
  });
});
