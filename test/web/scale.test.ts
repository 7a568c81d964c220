/** Ten thousand sessions in a thousand projects, in a real browser. */
import type { Answers } from '@pi-ledger/contract/answers';
import { beforeAll, expect, it } from 'vitest';
import { sessionEvents } from '../collector/support/work.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';
import { savedBy } from './support/saved.ts';

const sessions = 10_000;
const projects = 1_000;
const nodesMax = 1_500;
const sessionsPerRequest = 400;

const browser = useBrowser();
let ledger: Ledger;
beforeAll(async () => {
  ledger = await startedLedger({ data: 'none' });
  for (let from = 0; from < sessions; from += sessionsPerRequest)
    await post(
      Array.from({ length: sessionsPerRequest }, (_, index) => given(from + index)).flat(),
    );
});

async function post(events: readonly object[]): Promise<void> {
  const response = await fetch(`${ledger.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  expect(await response.json()).toMatchObject({ rejected: [] });
}

/** Each costs something else, in no order of time. */
function nanoUsdOf(index: number): number {
  return 1_000_000 + ((index * 7_919) % 10_007) * 1_000;
}

function given(index: number) {
  const time = new Date(Date.UTC(2026, 9, 1) + index * 120_000).toISOString();
  return sessionEvents({
    id: idOf(index),
    project: `p-${index % projects}`,
    billing: { anthropic: 'metered' },
    startedAt: time,
    turns: [{ time, nanoUsd: nanoUsdOf(index) }],
  });
}

function idOf(index: number): string {
  return `s-${String(index).padStart(5, '0')}`;
}

const range = 'range=2026-10-01..2026-10-31';
const nodes = 'document.querySelectorAll("*").length';
const costliest = Array.from({ length: sessions }, (_, index) => index)
  .toSorted((left, right) => nanoUsdOf(right) - nanoUsdOf(left))
  .map(idOf);

it('ten thousand sessions are counted, and a few of them drawn', async () => {
  const { page, problems } = await browser.open(`${ledger.url}/sessions?${range}`);
  await page.locator('tbody tr[data-row] a').first().waitFor();
  await page.getByText('10,000').first().waitFor();
  expect(await page.evaluate(nodes)).toBeLessThanOrEqual(nodesMax);
  expect(problems()).toEqual([]);
});

it('the costliest of them come first, and all of them as CSV in that order', async () => {
  const { page, problems } = await browser.open(
    `${ledger.url}/sessions?${range}&sort=sessions:metered`,
  );
  const links = page.locator('tbody tr[data-row] a');
  await links.first().waitFor();
  const first = await answerOf<Answers['GET /v1/sessions']>(
    ledger,
    '/v1/sessions?since=2026-10-01&until=2026-10-31&sort=metered&limit=3',
  );
  expect(first.rows.map(({ id }) => id)).toEqual(costliest.slice(0, 3));
  expect(await links.first().getAttribute('href')).toContain(costliest[0]);
  const press = () => page.getByRole('button', { name: 'CSV' }).click();
  const { name, text: csv } = await savedBy(page, press);
  expect(name).toBe('sessions.csv');
  const ids = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  expect(ids).toEqual(costliest);
  expect(await page.evaluate(nodes)).toBeLessThanOrEqual(nodesMax);
  expect(problems()).toEqual([]);
});

it('a thousand projects are on one page of which those near the screen are drawn', async () => {
  const { page, problems } = await browser.open(`${ledger.url}/projects?${range}`);
  const more = page.getByRole('button', { name: 'More' });
  await more.click();
  await more.click();
  await page.locator(`table[aria-rowcount="${projects + 1}"]`).waitFor();
  expect(await page.evaluate(nodes)).toBeLessThanOrEqual(nodesMax);
  expect(problems()).toEqual([]);
});

it('the overview of them has as few elements as any', async () => {
  const { page, problems } = await browser.open(`${ledger.url}/?${range}`);
  await page.getByText('p-999').or(page.getByText('of 1,000')).first().waitFor();
  expect(await page.evaluate(nodes)).toBeLessThanOrEqual(nodesMax);
  expect(problems()).toEqual([]);
});

it('the overview says which sessions it looked into, and until when', async () => {
  const { page, problems } = await browser.open(`${ledger.url}/?${range}`);
  await page.getByText('Contexts of 100 of 10,000 sessions were read').waitFor();
  await post(given(sessions));
  await page.getByText(/As of \d+:\d+.*; contexts of 100 of 10,000 sessions were read/).waitFor();
  expect(problems()).toEqual([]);
});
