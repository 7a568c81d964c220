/** Lists and one of each in a real browser, with names that nobody would choose. */
import type { Answers } from '@pi-ledger/contract/answers';
import { beforeAll, describe, expect, it } from 'vitest';
import { compactedSession } from '../collector/support/compacted.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

const hostile = [
  '<img src=x onerror="document.title=1">',
  '\u202Egnp.exe',
  'n'.repeat(300),
] as const;
const shown = ['<img src=x onerror="document.title=1">', '\uFFFDgnp.exe', /^n{24}…n{23}$/];

const browser = useBrowser();
let ledger: Ledger;
/** Of the compaction whose project and person have the longest name. */
let compaction: string;
beforeAll(async () => {
  ledger = await startedLedger({ data: 'none' });
  const anHourAgo = (Date.now() - Date.parse('2026-11-22T09:00:00Z')) / 1_000 - 3_600;
  const secondsLater = Math.floor(anHourAgo);
  const events = hostile.flatMap((name, index) =>
    compactedSession({ id: `strange-${index}`, project: name, user: name, secondsLater }),
  );
  const response = await fetch(`${ledger.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  expect(await response.json()).toMatchObject({ accepted: events.length });
  const asked = '/v1/compactions?session=strange-2&kind=compaction';
  const { rows } = await answerOf<Answers['GET /v1/compactions']>(ledger, asked);
  compaction = rows[0]?.id ?? '';
});

describe.each([1_440, 390])('at %i px, names of others', (width) => {
  it.each(['/sessions', '/compactions'])('are text in the rows of %s', async (path) => {
    const { page, problems } = await browser.open(`${ledger.url}${path}`, { width });
    const rows = page.locator('tbody tr[data-row]');
    await rows.nth(hostile.length - 1).waitFor();
    const whole = page.getByRole('button', { name: 'Show all' });
    if ((await whole.count()) > 0) await whole.first().click();
    const cells = page.locator('tbody tr[data-row] td');
    for (const name of shown) expect(await cells.getByText(name).count()).toBeGreaterThan(0);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(problems()).toEqual([]);
  });

  it.each([
    ['a session', () => '/sessions/strange-2', '.figure'],
    ['a compaction', () => `/compactions?show=${compaction}`, '.equation'],
  ])('are no wider than the page of %s', async (_, path, there) => {
    const { page, problems } = await browser.open(`${ledger.url}${path()}`, { width });
    await page.locator(there).first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(problems()).toEqual([]);
  });
});
