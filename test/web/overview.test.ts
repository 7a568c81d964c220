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

  it('says what main agents and each subagent spent, once bars are stacked by them', async () => {
    const { page, problems, axeViolations } = await browser.open(`${ledger.url}/?range=90d`);
    await page.getByText('demo-weather').first().waitFor();
    expect(await page.getByRole('region', { name: 'Agents' }).count()).toBe(0);
    await page.getByRole('button', { name: 'agent', exact: true }).click();
    const table = page.getByRole('region', { name: 'Agents' }).last();
    await table.getByText('subagent').first().waitFor();
    expect(new URL(page.url()).searchParams.get('by')).toBe('agent');
    const { rows } = await answerOf<Answers['GET /v1/usage']>(
      ledger,
      '/v1/usage?by=agentKind,agent',
    );
    const shown = await table.locator('tbody tr').count();
    expect(shown).toBe(Math.min(8, rows.length));
    const named = (row: number, cell: number) =>
      table.locator(`tbody tr:nth-child(${row}) td:nth-child(${cell})`).textContent();
    expect([await named(1, 1), await named(1, 2)]).toEqual(['(unnamed)', 'main']);
    const names = await table.locator('tbody td:first-child').allTextContents();
    const subagents = rows.flatMap(({ agent, agentKind }) =>
      agentKind === 'subagent' ? [agent ?? '(unnamed)'] : [],
    );
    expect(subagents).toEqual(expect.arrayContaining(names.slice(1)));
    expect(names.slice(1)).not.toEqual([]);
    expect(await axeViolations()).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('has providers with what each spent, once bars are stacked by them', async () => {
    const { page, problems, axeViolations } = await browser.open(`${ledger.url}/`);
    await page.getByText('demo-weather').first().waitFor();
    await page.keyboard.press('b');
    await page.keyboard.press('v');
    const table = page.getByRole('region', { name: 'Providers' }).last();
    await table.getByText('demo-anthropic').waitFor();
    await page.locator('.spend-chart .s1[data-name] path.solid[d^="M"]').waitFor();
    const { rows } = await answerOf<Answers['GET /v1/usage']>(ledger, '/v1/usage?by=provider');
    const names = await table.locator('tbody td:first-child').allTextContents();
    expect(names.toSorted()).toEqual(rows.map(({ provider }) => provider).toSorted());
    const series = page.locator('.spend-chart .chart').first().locator('[data-name]');
    const drawn = await series.evaluateAll((all) => all.map((each) => each.dataset.name));
    expect(drawn).toEqual(names);
    expect(await axeViolations()).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('paints money that came with it, and draws nothing from nothing', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/budgets`);
    await page.route('**/v1/**', () => undefined);
    await page.goto(`${ledger.url}/`);
    const first = page.locator('.first-line .figure .value').first();
    await expect.poll(() => first.textContent()).toMatch(/\d/);
    const chart = page.locator('.spend-chart .chart').first();
    await chart.getByText('loading').waitFor();
    expect(await chart.locator('text.tick').allTextContents()).not.toContain('$1');
    await page.locator('.section', { hasText: 'Needs attention' }).getByText('loading').waitFor();
    expect(problems()).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('breaks no rule of accessibility, %s', async (theme) => {
    const { page, axeViolations } = await browser.open(`${ledger.url}/`, { theme });
    await page.getByText('demo-weather').first().waitFor();
    expect(await axeViolations()).toEqual([]);
  });
});
