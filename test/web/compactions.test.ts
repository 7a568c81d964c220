/** Compactions, health and quota windows in a real browser, beside the API's own answers. */
import type { Answers } from '@pi-ledger/contract/answers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

type List = Answers['GET /v1/compactions'];

const browser = useBrowser();
let ledger: Ledger;
beforeAll(async () => {
  ledger = await startedLedger();
});

describe('compactions', () => {
  it('opens the story of the one that the URL names, and narrows to what did not pay', async () => {
    const url = '/v1/compactions?net=negative&limit=1000';
    const { rows } = await answerOf<List>(ledger, url);
    const [row] = rows;
    const at = `${ledger.url}/compactions?range=90d&only=lost&show=${row?.id}`;
    const { page, problems } = await browser.open(at);
    const equation = page.locator('.equation');
    await equation.waitFor();
    const net = (Math.abs(Number(row?.netNanoUsd)) / 1e9).toFixed(3);
    expect(await equation.locator('.value').last().textContent()).toContain(`−$${net}`);
    const open = page.locator('tr.open button');
    expect(await open.getAttribute('aria-expanded')).toBe('true');
    const audit = page.getByRole('region', { name: 'Audit' }).last();
    expect(await audit.locator('table').getAttribute('aria-rowcount')).toBe(`${rows.length + 1}`);
    expect(problems()).toEqual([]);
  });

  it.each(['compactions', 'health', 'budgets'])(
    'breaks no rule of accessibility in %s',
    async (view) => {
      const { page, axeViolations } = await browser.open(`${ledger.url}/${view}`);
      await page.locator('tbody tr').first().waitFor();
      expect(await axeViolations()).toEqual([]);
    },
  );
});
