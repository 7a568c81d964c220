/** Views that are narrowed to a provider, beside the API. */
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

const provider = 'demo-anthropic';
const tables = [
  ['', 'Projects', '/v1/usage?by=project'],
  ['', 'Models', '/v1/usage?by=model'],
  ['projects', 'Projects', '/v1/usage?by=project'],
  ['models', 'Models', '/v1/models?'],
] as const;

describe('a filter by provider', () => {
  it.each(tables)('narrows /%s: %s', async (view, table, url) => {
    const { page, problems } = await browser.open(`${ledger.url}/${view}?provider=${provider}`);
    const rows = page.getByRole('region', { name: table, exact: true }).last().locator('tbody tr');
    await rows.first().waitFor();
    const text = (await page.locator('.same-numbers').textContent()) ?? '';
    expect(text).toContain(`provider=${provider}`);
    const days = /since=[\d-]+&until=[\d-]+/.exec(text)?.[0] ?? '';
    const asked = `${url}&${days}&provider=${provider}`;
    const { rows: wanted } = await answerOf<Answers['GET /v1/usage']>(ledger, asked);
    expect(wanted.length).toBeGreaterThan(0);
    expect(await rows.count()).toBe(wanted.length);
    expect(problems()).toEqual([]);
  });

  it.each(['', 'projects', 'sessions', 'compactions', 'models'])(
    'is one of the scope of /%s, and can be taken away',
    async (view) => {
      const { page, problems } = await browser.open(`${ledger.url}/${view}?provider=${provider}`);
      const filter = page.getByRole('button', { name: `provider: ${provider}` });
      await filter.waitFor();
      await page.locator('.same-numbers').waitFor();
      await expect.poll(() => page.locator('.loading').count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
      await filter.click();
      await page.getByRole('button', { name: 'All providers' }).waitFor();
      expect(new URL(page.url()).search).toBe('');
      expect(problems()).toEqual([]);
    },
  );

  it('is set by a name in the table of providers', async () => {
    const { page } = await browser.open(`${ledger.url}/?by=provider`);
    await page.getByRole('region', { name: 'Providers' }).last().getByText(provider).click();
    await page.getByRole('button', { name: `provider: ${provider}` }).waitFor();
  });

  it('does not narrow tools, and the page says so', async () => {
    const { page } = await browser.open(`${ledger.url}/models?provider=${provider}`);
    await page.getByText('not narrowed by provider').waitFor();
  });
});
