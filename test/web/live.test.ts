/** What a page does while the collector goes on, stops and comes back. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleEvent } from '../collector/support/events.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { startedLedger } from './support/collector.ts';

const browser = useBrowser({ isWhole: true });
let ledger: Ledger;
beforeAll(async () => {
  ledger = await startedLedger({ data: 'none' });
});

/** Spend of now in a session of its own. */
async function spend(number: number, project: string): Promise<void> {
  const time = new Date().toISOString();
  const subject = `live-${number}`;
  const events: LedgerEvent[] = [
    exampleEvent({
      number: 2 * number,
      type: 'pi.session.attributed.v1',
      subject,
      time,
      data: { project: { name: project, remote: null, branch: 'main', worktree: null } },
    }),
    exampleEvent({ number: 2 * number + 1, subject, time }),
  ];
  const response = await fetch(`${ledger.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  expect(await response.json()).toMatchObject({ accepted: 2 });
}

describe('an open page', () => {
  it('shows what is new, without a reload', async () => {
    await spend(1, 'first');
    const { page, problems } = await browser.open(`${ledger.url}/`);
    await page.getByRole('link', { name: 'first' }).first().waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    await spend(2, 'second');
    await page.getByRole('link', { name: 'second' }).first().waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    expect(problems()).toEqual([]);
  });

  it('keeps its numbers while the collector is away, says so, and goes on with it', async () => {
    const { page } = await browser.open(`${ledger.url}/`);
    await page.getByRole('link', { name: 'first' }).first().waitFor();
    await ledger.stop();
    await page.getByText('Collector stopped.').waitFor();
    expect(await page.getByRole('link', { name: 'first' }).first().isVisible()).toBe(true);
    await ledger.start();
    await spend(3, 'third');
    await page.getByRole('link', { name: 'third' }).first().waitFor();
    expect(await page.getByText('Collector stopped.').count()).toBe(0);
  });
});
