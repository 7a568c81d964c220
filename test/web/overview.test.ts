/** The overview in a real browser, beside the API's own answers. */
import type { Answers } from '@pi-ledger/contract/answers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

const browser = useBrowser();
let ledger: Ledger;
beforeAll(async () => {
  ledger = await startedLedger();
});

describe('the overview', () => {
  it('names every project that the API names', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/`);
    const table = page.getByRole('region', { name: 'Projects' }).last();
    await table.getByText('demo-weather').waitFor();
    const { rows } = await answerOf<Answers['GET /v1/usage']>(ledger, '/v1/usage?by=project');
    const names = await table.locator('tbody td:first-child').allTextContents();
    expect(names.toSorted()).toEqual(rows.map(({ project }) => project).toSorted());
    expect(problems()).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('breaks no rule of accessibility, %s', async (theme) => {
    const { page, axeViolations } = await browser.open(`${ledger.url}/`, { theme });
    await page.getByText('demo-weather').first().waitFor();
    expect(await axeViolations()).toEqual([]);
  });
});
