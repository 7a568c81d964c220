/** The first minute: a home with a long history, and the page opened while it is read. */
import { lutimesSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Answers } from '@pi-ledger/contract/answers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { type DemoFiles, writeDemoSessions } from '../../collector/cli/demo/session-files.ts';
import type { Ledger } from '../hosts/support/ledger/ledger.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

/** Some seconds of reading, on any machine. */
const history = { bytes: 150_000_000, files: 60, seed: 3 };

const browser = useBrowser();
let ledger: Ledger;
let made: DemoFiles;
beforeAll(async () => {
  ledger = await startedLedger({
    data: 'none',
    before({ home }) {
      const directory = join(home, '..', 'home', '.pi', 'agent', 'sessions');
      made = writeDemoSessions({ ...history, directory, until: new Date() });
      leaveAlone(directory);
      return Promise.resolve();
    },
  });
});

/** What has just been written is left to the agent that writes it. */
function leaveAlone(directory: string): void {
  const anHourAgo = new Date(Date.now() - 3_600_000);
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    lutimesSync(join(directory, path), anHourAgo, anHourAgo);
}

const filesRead = async (page: Page) => {
  const value = page.locator('.figure', { hasText: 'Files' }).first().locator('.value');
  const [, files, all] = /^([\d,]+) of ([\d,]+)$/.exec((await value.textContent()) ?? '') ?? [];
  return { files: Number(files), all: Number(all) };
};

it('shows how far it is, numbers that grow, and all of it at the end, by itself', async () => {
  const { page, problems, axeViolations } = await browser.open(`${ledger.url}/?range=180d`);
  await page.getByRole('heading', { name: 'Your history is being read' }).waitFor();
  const first = await filesRead(page);
  expect(first.all).toBe(made.files);
  expect(first.files).toBeLessThan(made.files);
  await page.getByText(/^import \d+ %$/).waitFor();
  expect(await axeViolations()).toEqual([]);

  // Numbers are there before it ends, each with the mark of what still grows.
  const projects = page.getByRole('region', { name: 'Projects' }).last();
  await projects.getByText('still counting').first().waitFor();
  await page.getByRole('heading', { name: 'Your history is being read' }).waitFor();
  await expect.poll(async () => (await filesRead(page)).files).toBeGreaterThan(first.files);

  await page
    .getByRole('heading', { name: 'Your history is being read' })
    .waitFor({ state: 'detached' });
  await projects.getByText('still counting').first().waitFor({ state: 'detached' });
  const { total } = await answerOf<Answers['GET /v1/sessions']>(
    ledger,
    '/v1/sessions?limit=1&total=include',
  );
  expect(total).toBe(made.files);
  const shown = page.getByRole('region', { name: 'Newest sessions' });
  await shown.getByText(`of ${made.files} in these days`).first().waitFor();
  expect(problems()).toEqual([]);
});
