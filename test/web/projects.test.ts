/** All projects and one of them in a real browser, with names that nobody would choose. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Answers } from '@pi-ledger/contract/answers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleSpend } from '../../contract/spend.ts';
import { urlOf } from '../../dashboards/web/state/place.ts';
import { exampleEvent } from '../collector/support/events.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

const hostile = [
  '<img src=x onerror=alert(1)>',
  '\u202Egnp.exe',
  'n'.repeat(300),
  'a/b',
  '..',
  '%2F',
  '~',
] as const;
/** More than one answer holds. */
const ordinary = Array.from({ length: 1_200 }, (_, index) => `many-${index}`);

const browser = useBrowser();
let demo: Ledger;
let strange: Ledger;
beforeAll(async () => {
  [demo, strange] = await Promise.all([startedLedger(), startedLedger({ data: 'none' })]);
  const names = [...hostile, ...ordinary];
  const events = names.flatMap((name, index) => spend(index + 1, name));
  for (let from = 0; from < events.length; from += 500)
    await record(strange, events.slice(from, from + 500));
  await record(strange, spend(names.length + 1, null));
});

describe('all projects', () => {
  it('come a thousand at a time, and those near the screen are drawn', async () => {
    const { page, problems } = await browser.open(`${strange.url}/projects`);
    const below = page.locator('p.more');
    await page.getByText('50 of more').first().waitFor();
    for (const shown of ['200 of more', '1,000 of more']) {
      await below.getByRole('button', { name: 'More' }).click();
      await below.getByText(shown).waitFor();
    }
    await below.getByRole('button', { name: 'More' }).click();
    const all = hostile.length + ordinary.length + 1;
    const table = page.getByRole('region', { name: 'Projects' }).last().locator('table');
    await page.locator(`table[aria-rowcount="${all + 1}"]`).waitFor();
    expect(await table.locator('tfoot td').first().textContent()).toBe('1,208 of 1,208');
    expect(await table.locator('tbody tr[data-row]').count()).toBeLessThan(200);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await table.locator(`tr[data-row="${all - 1}"]`).waitFor();
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1_500);
    expect(problems()).toEqual([]);
  });

  it('are sorted by what the URL says, and opened by keys', async () => {
    const { page } = await browser.open(`${demo.url}/projects?sort=projects:project:down`);
    const rows = page.locator('tr[data-row]');
    await rows.first().getByText('demo-website').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.dataset.row')).toBe('1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'demo-weather' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects/demo-weather');
    await page.goBack();
    await rows.first().getByText('demo-website').waitFor();
  });
});

describe('a project', () => {
  it.each(hostile)('named %j is itself alone, and text', async (name) => {
    const { page, problems } = await browser.open(linkTo(name));
    const heading = page.getByRole('heading', { level: 1 });
    await page.locator('.figure').first().waitFor();
    expect(await heading.textContent()).toBe(shownAs(name));
    expect(await figuresIn(page)).toEqual(expect.arrayContaining(await amountsOf(name)));
    expect(await page.locator('main img').count()).toBe(0);
    expect(problems()).toEqual([]);
  });

  it('that is not known has a page of its own', async () => {
    const { page } = await browser.open(`${strange.url}/projects/~`);
    await page.getByRole('heading', { level: 1, name: '(unknown project)' }).waitFor();
    await page.locator('.figure').first().waitFor();
    expect(await figuresIn(page)).toEqual(expect.arrayContaining(await amountsOf('')));
  });

  it.each(['light', 'dark'] as const)('breaks no rule of accessibility, %s', async (theme) => {
    const { page, problems, axeViolations } = await browser.open(
      `${demo.url}/projects/demo-weather`,
      { theme },
    );
    await page.getByRole('slider', { name: 'What a session costs' }).waitFor();
    expect(await axeViolations()).toEqual([]);
    expect(problems()).toEqual([]);
  });
});

/** Each figure that is an amount, exactly. */
const figuresIn = (page: Page) =>
  page
    .locator('.figure:has(.money[title])')
    .evaluateAll((figures) =>
      figures.map((figure) => figure.querySelector('.money[title]')?.getAttribute('title')),
    );

/** As the list links to it. */
function linkTo(name: string): string {
  return `${strange.url}${urlOf({ view: 'projects', id: name, parameters: {} })}`;
}

function shownAs(name: string): string {
  const seen = name.replaceAll('\u202E', '\uFFFD');
  return seen.length <= 48 ? seen : `${seen.slice(0, 24)}…${seen.slice(-23)}`;
}

/** As the titles of amounts have it: the turn of this project alone. */
async function amountsOf(project: string): Promise<string[]> {
  const path = `/v1/usage?${new URLSearchParams({ by: 'project', project })}`;
  const { total } = await answerOf<Answers['GET /v1/usage']>(strange, path);
  expect(total.records).toBe(1);
  const { meteredNanoUsd, subscriptionNanoUsd, unknownBillingNanoUsd } = total;
  const amounts = [meteredNanoUsd, subscriptionNanoUsd, unknownBillingNanoUsd];
  const spent = amounts.filter((nanoUsd) => nanoUsd !== '0');
  expect(spent).toHaveLength(1);
  return spent.map((nanoUsd) => `${nanoUsd.slice(0, -9)}.${nanoUsd.slice(-9)} USD`);
}

/** A turn of now at a price of its own. Null: nobody says of which project. */
function spend(number: number, project: string | null): readonly LedgerEvent[] {
  const time = new Date().toISOString();
  const subject = `session-${number}`;
  const data = { spend: { ...exampleSpend, costNanoUsd: 1_000_000_000 + number } };
  const turn = exampleEvent({ number: 2 * number + 1, subject, time, data });
  return project === null ? [turn] : [attribution(number, project, time), turn];
}

function attribution(number: number, name: string, time: string): LedgerEvent {
  const type = 'pi.session.attributed.v1';
  const subject = `session-${number}`;
  const data = { project: { name, remote: null, branch: 'main', worktree: null } };
  return exampleEvent({ number: 2 * number, type, subject, time, data });
}

async function record(ledger: Ledger, events: readonly LedgerEvent[]): Promise<void> {
  const response = await fetch(`${ledger.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  expect(await response.json()).toMatchObject({ accepted: events.length });
}
