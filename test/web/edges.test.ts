/** Ledgers and addresses beyond what is usual. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { Story } from '../collector/answers/context/given.ts';
import { attributed, turn } from '../collector/projections/support/given.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { startedLedger } from './support/collector.ts';

const browser = useBrowser();

async function holding(events: readonly LedgerEvent[]): Promise<Ledger> {
  const ledger = await startedLedger({ data: 'none' });
  const batch = 500;
  for (let first = 0; first < events.length; first += batch) {
    const response = await fetch(`${ledger.url}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: JSON.stringify(events.slice(first, first + batch)),
    });
    expect(response.ok).toBe(true);
  }
  return ledger;
}

const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();

it('an address that no view has is a page that leads on', async () => {
  const ledger = await startedLedger({ data: 'none' });
  const { page } = await browser.open(`${ledger.url}/nowhere`);
  await page.getByRole('heading', { name: 'No such page' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Overview' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
});

it('what a subscription covers stands upright where nothing is metered', async () => {
  const [billing, time] = [{ anthropic: 'subscription' as const }, at(60 * 30)];
  const ledger = await holding([
    attributed(time, { project: 'shop', billing }, 's1'),
    turn(time, { costNanoUsd: 5_000_000_000 }, 's1'),
  ]);
  const { page, problems } = await browser.open(`${ledger.url}/`);
  const chart = page.getByRole('slider', { name: /Spend/ });
  const bar = chart.locator('path.pale[d^=M]').first();
  await bar.waitFor();
  const [bars, axis] = [await bar.boundingBox(), await chart.locator('path.axis').boundingBox()];
  expect((bars?.y ?? 0) + (bars?.height ?? 0)).toBeLessThanOrEqual((axis?.y ?? 0) + 2);
  const first = page.locator('.first-line .figure .value').first();
  expect(await first.textContent()).toContain('$5.00');
  expect(problems()).toEqual([]);
});

describe('a session of very many turns', () => {
  it('lists ranges with what they cost, which open', async () => {
    const story = new Story('long');
    story.live('pi.session.attributed.v1', { billing: { anthropic: 'metered' } });
    for (let number = 1; number <= 1_500; number += 1)
      story.turn(`t${number}`, { costNanoUsd: 1_000_000 });
    const ledger = await holding(story.events);
    const { page, problems } = await browser.open(`${ledger.url}/sessions/long`);
    const rows = page.getByRole('region', { name: 'Turns' }).last().locator('tbody tr.merged');
    await rows.first().waitFor();
    const table = page.locator('.turns table');
    await expect
      .poll(async () => Number(await table.getAttribute('aria-rowcount')))
      .toBeLessThan(80);
    const [range, , , , , , , cost] = await rows.first().locator('td').allTextContents();
    expect(range).toBe('1 to 25');
    expect(cost).toBe('$0.0250');
    await rows.nth(1).getByRole('button').click();
    await page.getByText('a part of 1,500').waitFor();
    expect(problems()).toEqual([]);
  });
});
