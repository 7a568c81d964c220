/** Spend of now by somebody whose clock is a day ahead of the reader's. */
import type { Answers } from '@pi-ledger/contract/answers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleSpend } from '../../contract/spend.ts';
import { exampleEvent } from '../collector/support/events.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

/** 24 hours apart, whatever the hour. */
const timeZone = 'Pacific/Honolulu';
const utcOffsetMinutes = 14 * 60;
const id = 'e0000000-0000-4000-8000-000000000001';

const browser = useBrowser();
let ledger: Ledger;
beforeAll(async () => {
  ledger = await startedLedger({ data: 'none' });
  const time = new Date().toISOString();
  const project = { name: 'ahead', remote: null, branch: 'main', worktree: null };
  const spend = { ...exampleSpend, costNanoUsd: 3_000_000_000 };
  const response = await fetch(`${ledger.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify([
      exampleEvent({
        ...{ number: 1, type: 'pi.session.attributed.v1', subject: id, time },
        data: { project, utcOffsetMinutes },
      }),
      exampleEvent({ number: 2, subject: id, time, data: { spend } }),
    ]),
  });
  expect(await response.json()).toMatchObject({ accepted: 2 });
});

describe.each(['today', '30d'])('the range %s', (range) => {
  it('has it on the overview: in its sums, its bars and what it asks for', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/?range=${range}`, { timeZone });
    const projects = page.getByRole('region', { name: 'Projects' });
    await projects.getByRole('link', { name: 'ahead' }).waitFor();
    await page.locator('.first-line').getByText('$3.00').first().waitFor();
    // One day is drawn by the hours of the reader's clock.
    const bar = range === 'today' ? barWith(page, 'subscription $3.00') : lastBar(page);
    await bar.getByText('subscription $3.00').waitFor();
    await page.locator('.scope').getByText('with what is already').waitFor();
    const asked = await page.locator('.same-numbers code').last().textContent();
    const answer = await answerOf<Answers['GET /v1/usage']>(ledger, asked?.slice(4) ?? '');
    expect(answer.total.subscriptionNanoUsd).toBe('3000000000');
    expect(problems()).toEqual([]);
  });

  it('has it on its project, with its session, and in the list of sessions', async () => {
    const url = `${ledger.url}/projects/ahead?range=${range}`;
    const { page } = await browser.open(url, { timeZone });
    await lastBar(page).getByText('subscription $3.00').waitFor();
    await page.locator(`main a[href*="${id}"]`).first().waitFor();
    await page.goto(`${ledger.url}/sessions?range=${range}`);
    await page.locator(`main a[href*="${id}"]`).first().waitFor();
  });
});

/** In the table for listeners: the only one that has it. */
function barWith(page: Page, text: string) {
  return page.locator('figure.chart[aria-label^="Spend"] tr').filter({ hasText: text });
}

/** In the table for listeners: of the latest day. */
function lastBar(page: Page) {
  return page.locator('figure.chart[aria-label^="Spend"] tr').last();
}
