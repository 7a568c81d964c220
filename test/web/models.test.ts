/** Models and tools in a real browser, beside the API's own answers. */
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

describe('models and tools', () => {
  it('shows every model and tool that the API has, with its percentiles marked', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/models?range=90d`);
    const rowsOf = (name: string) =>
      page.getByRole('region', { name, exact: true }).last().locator('tbody tr');
    await rowsOf('Models').first().waitFor();
    await rowsOf('Tools').first().waitFor();
    const models = await answerOf<Answers['GET /v1/models']>(ledger, '/v1/models?limit=1000');
    const tools = await answerOf<Answers['GET /v1/tools']>(ledger, '/v1/tools?limit=1000');
    const names = await rowsOf('Models').locator('td:first-child').allTextContents();
    expect(names.toSorted()).toEqual(models.rows.map(({ model }) => model).toSorted());
    const toolNames = await rowsOf('Tools').locator('td:first-child').allTextContents();
    expect(toolNames.toSorted()).toEqual(tools.rows.map(({ tool }) => tool).toSorted());
    const half = models.rows.find(({ durationP50 }) => durationP50?.is === 'interpolated');
    const row = rowsOf('Models').filter({ hasText: half?.model ?? 'none' });
    expect(await row.textContent()).toContain(
      `~estimated ${((half?.durationP50?.ms ?? 0) / 1_000).toFixed(1)} s`,
    );
    expect(problems()).toEqual([]);
  });

  it.each([1_280, 1_440])('draws nothing outside its cell, %d px wide', async (width) => {
    const { page } = await browser.open(`${ledger.url}/models?range=90d`, { width });
    const table = page.getByRole('region', { name: 'Models', exact: true }).last();
    await table.locator('td > svg.latency').first().waitFor();
    const outside = () =>
      table
        .locator('td > svg')
        .evaluateAll(
          (all) =>
            all.filter(
              (svg) =>
                Number(svg.getAttribute('width')) > svg.getBoundingClientRect().width ||
                svg.getBoundingClientRect().right >
                  (svg.parentElement?.getBoundingClientRect().right ?? 0),
            ).length,
        );
    await expect.poll(outside).toBe(0);
  });

  it('shows what each model asked of each tool, as the API has it', async () => {
    const { page, problems, axeViolations } = await browser.open(`${ledger.url}/models?range=90d`);
    const table = page.getByRole('region', { name: 'Cost of tools', exact: true }).last();
    await table.locator('tbody tr').first().waitFor();
    const url = '/v1/tools/models?limit=1000';
    const { rows } = await answerOf<Answers['GET /v1/tools/models']>(ledger, url);
    const shown = await table
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map((each) =>
          [...each.querySelectorAll('td')].slice(0, 2).map(({ textContent }) => textContent),
        ),
      );
    expect(shown.toSorted()).toEqual(rows.map(({ tool, model }) => [tool, model]).toSorted());
    const unpriced = rows.find(({ byBilling }) => byBilling.metered.unpricedCalls > 0);
    const row = table
      .locator('tbody tr', { hasText: unpriced?.model ?? 'none' })
      .filter({ hasText: unpriced?.tool ?? 'none' });
    expect(await row.first().textContent()).toContain('n/a');
    expect(await axeViolations()).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('shows what each tool cost over all models, if that is chosen', async () => {
    const { page, problems, axeViolations } = await browser.open(`${ledger.url}/models?range=90d`);
    const section = page.locator('section.section', {
      has: page.getByRole('heading', { name: 'Cost of tools' }),
    });
    await section.getByRole('button', { name: 'tool', exact: true }).click();
    expect(new URL(page.url()).searchParams.get('tools')).toBe('tool');
    await section.locator('tbody tr').first().waitFor();
    expect(await section.locator('th').allTextContents()).not.toContain('Model');
    const url = '/v1/tools/costs?limit=1000';
    const { rows, total } = await answerOf<Answers['GET /v1/tools/costs']>(ledger, url);
    const heads = await section.locator('th').allTextContents();
    const at = heads.findIndex((head) => head.startsWith('Calls'));
    const calls = await section
      .locator('tbody tr')
      .evaluateAll(
        (all, column) =>
          all.map((each) =>
            [0, column].map((index) => each.querySelectorAll('td')[index]?.textContent),
          ),
        at,
      );
    const inWords = rows.map((row) => [row.tool, row.calls.toLocaleString('en-US')]);
    expect(calls).toEqual(inWords);
    expect(await section.locator('tfoot').textContent()).toContain(
      total.calls.toLocaleString('en-US'),
    );
    expect(await page.locator('.same-numbers').textContent()).toContain('tools --costs');
    expect(await axeViolations()).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('shows how fast each model was on each day, and says what the API says', async () => {
    const { page, problems, axeViolations } = await browser.open(`${ledger.url}/models`);
    const section = page.locator('section.section', {
      has: page.getByRole('heading', { name: 'Speed per day' }),
    });
    await section.locator('svg path.s1.solid[d^="M"]').waitFor();
    const models = await answerOf<Answers['GET /v1/models']>(ledger, '/v1/models?limit=1000');
    const shown = await section.locator('.legend > span').allTextContents();
    expect(shown).toEqual(models.rows.slice(0, 5).map(({ model }) => model));
    await section.getByRole('button', { name: 'tokens/s' }).click();
    expect(new URL(page.url()).searchParams.get('speed')).toBe('tokens');
    const request = (await page.locator('.same-numbers').textContent()) ?? '';
    const asked = /\/v1\/models\/days[^\s,]*/.exec(request)?.[0] ?? '';
    const { rows } = await answerOf<Answers['GET /v1/models/days']>(ledger, asked);
    const cursor = section.getByRole('slider');
    const textAt = async (key: string) => {
      await cursor.press(key);
      return (await section.locator('.readout').textContent()) ?? '';
    };
    let readout = await textAt('End');
    while (readout.includes('nothing measured')) readout = await textAt('ArrowLeft');
    const last = rows.findLast(({ timedAnswers }) => timedAnswers > 0);
    const ofLast = rows.filter(({ day }) => day === last?.day);
    expect(ofLast).not.toEqual([]);
    for (const { model, outputTokensPerSecond } of ofLast)
      if (outputTokensPerSecond !== null)
        expect(readout).toContain(`${model} ${Math.round(outputTokensPerSecond)} tokens/s`);
    expect(await axeViolations()).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('lists the newest requests, or those that failed, and opens the turn of one', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/models?range=90d`);
    const section = page.getByRole('region', { name: 'Newest requests', exact: true }).first();
    await section.locator('tbody tr').first().waitFor();
    await section.getByRole('button', { name: 'failed', exact: true }).click();
    await section.locator('tbody tr', { hasText: 'ok' }).first().waitFor({ state: 'detached' });
    type Requests = Answers['GET /v1/requests'];
    const failed = await answerOf<Requests>(ledger, '/v1/requests?only=failed&limit=20');
    const links = section.locator('tbody td:first-child a');
    const shown = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    const paths = shown.map((href) => new URL(href ?? '', ledger.url));
    expect(paths.map(({ pathname }) => pathname)).toEqual(
      failed.rows.map(({ session }) => `/sessions/${session}`),
    );
    const [row] = failed.rows;
    expect(paths[0]?.searchParams.get('turn')).toBe(String(row?.turn));
    await links.first().click();
    await page.waitForURL(`**/sessions/${row?.session}**`);
    expect(problems()).toEqual([]);
  });

  it('prices the same tokens as another model, metered and subscription apart', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/models`);
    const picker = page.getByRole('combobox', { name: 'Priced as' });
    await picker.locator('option').nth(1).waitFor({ state: 'attached' });
    await picker.selectOption({ label: 'demo-fast' });
    const sums = page.locator('.sums li');
    await sums.first().waitFor();
    const words = await sums.allTextContents();
    expect(words.filter((text) => text.startsWith('In all, metered:'))).toHaveLength(1);
    expect(words.filter((text) => text.startsWith('In all, subscription:'))).toHaveLength(1);
    const rows = page.locator('section[aria-label^="The same tokens"] tbody tr');
    const own = rows.filter({ hasText: 'demo-fast' }).filter({ hasText: 'metered' });
    const [recorded, repriced] = await own.locator('.money').allTextContents();
    expect(repriced?.replace('~estimated ', '')).toBe(recorded);
    expect(new URL(page.url()).searchParams.get('as')).toBe('["demo-openai","demo-fast"]');
    expect(problems()).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('breaks no rule of accessibility, %s', async (theme) => {
    const { page, axeViolations } = await browser.open(`${ledger.url}/models`, { theme });
    await page.getByRole('slider', { name: 'Failed attempts per day' }).waitFor();
    expect(await axeViolations()).toEqual([]);
  });
});
