/** What `--html` writes, opened from disk in a real browser. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { attributed, turn } from '../collector/projections/support/given.ts';
import { type CommandLine, commandLineOn } from '../collector/support/command-line.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { useBrowser } from './support/browser.ts';

const usd = 1_000_000_000;
const hostile = [
  '<img src=x onerror="document.title=1">',
  '"><script>document.title=1</script>',
  '<style>@import "http://127.0.0.1:9/x.css"</style>',
  'https://evil.example/',
  'שלום',
  'n'.repeat(300),
] as const;

const browser = useBrowser();
const directory = temporaryDirectory();
let line: CommandLine;

beforeAll(async () => {
  line = await commandLineOn(
    directory,
    hostile.flatMap((name, index) => {
      const at = `2026-11-${10 + index}T12:00:00.000Z`;
      const billing = { anthropic: 'metered', openai: 'subscription' } as const;
      return [
        attributed(at, { project: name, user: name, branch: name, billing }, `h${index}`),
        turn(at, { model: name, costNanoUsd: (index + 1) * usd }, `h${index}`),
        turn(at, { provider: 'openai', model: name, costNanoUsd: usd }, `h${index}`),
        turn(at, { model: name, costNanoUsd: null, costSource: 'unpriced' }, `h${index}`),
      ];
    }),
  );
});

async function written(...argv: readonly string[]): Promise<string> {
  const file = join(directory, `${argv.join('-').replaceAll(/\W+/g, '-')}.html`);
  expect(await line.run(...argv, '--html', file)).toMatchObject({ code: 0, complained: '' });
  return pathToFileURL(file).href;
}

describe.each([
  ['light', 1_280],
  ['dark', 390],
] as const)('in the %s theme, %i px wide', (theme, width) => {
  it.each([
    ['report', '--since', '2026-11-01'],
    ['report', '--by', 'project,model'],
    ['sessions'],
    ['sessions', 'show', 'h0'],
    ['insights', '--since', '2026-11-01'],
  ])('%s %s: asks nobody, runs nothing and keeps nobody out', async (...argv) => {
    const url = await written(...argv.filter((word) => word !== undefined));
    const { page, problems, axeViolations } = await browser.open(url, { theme, width });
    expect(await page.locator('img, script, iframe, link').count()).toBe(0);
    expect(await page.title()).toContain('pi-ledger');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(theme === 'dark' ? 'rgb(16, 20, 24)' : 'rgb(255, 255, 255)');
    expect(problems()).toEqual([`request to ${url}`]);
    expect(await axeViolations()).toEqual([]);
  });
});

it('draws each day as high as it cost, and has the numbers below', async () => {
  const url = await written('report', '--since', '2026-11-10', '--until', '2026-11-15');
  const { page } = await browser.open(url);
  const solid = (await page.locator('path.solid').getAttribute('d')) ?? '';
  const heights = [...solid.matchAll(/v([\d.]+)/g)].map(([, high]) => Number(high));
  expect(heights).toHaveLength(6);
  const unit = (heights.at(-1) ?? 0) / 6;
  for (const [index, high] of heights.entries()) expect(high).toBeCloseTo(unit * (index + 1), 0);
  await page.locator('summary').click();
  const rows = await page.locator('details tbody tr').allInnerTexts();
  expect(rows.map((row) => row.split(/\s+/))).toContainEqual([
    '2026-11-12',
    '≥',
    'at',
    'least',
    '$3.00',
    '$1.00',
  ]);
  for (const name of hostile) expect(await page.getByText(name, { exact: true }).count()).toBe(1);
});
