/**
 * A page that is open while a long history is read. The import is held by a signal while the page
 * is looked at: nothing depends on how fast the machine is.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answers } from '@pi-ledger/contract/answers';
import { afterAll, expect, it } from 'vitest';
import { writeDemoSessions } from '../../collector/cli/demo/session-files.ts';
import { startProcess } from '../hosts/support/host/processes.ts';
import { ownCli } from '../hosts/support/ledger/ledger.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { useBrowser } from './support/browser.ts';
import { answerOf, startedLedger } from './support/collector.ts';

/** Some seconds of reading, on any machine. */
const history = { bytes: 150_000_000, files: 60, seed: 3 };

const lookMsMax = 12_000;

const root = mkdtempSync(join(tmpdir(), 'pi-ledger-history-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const browser = useBrowser();

function startImport(directory: string, home: string) {
  return startProcess([process.execPath, ownCli, 'import', '--pi', directory], {
    cwd: root,
    env: { ...bareEnvironment, HOME: root, PI_LEDGER_HOME: home },
    timeoutMs: 600_000,
  });
}

it('shows how far it is, numbers that grow, and all of it at the end, by itself', async () => {
  const directory = join(root, 'sessions');
  const made = writeDemoSessions({ ...history, directory, until: new Date() });
  const ledger = await startedLedger({ data: 'none' });
  const { page, problems, axeViolations } = await browser.open(`${ledger.url}/?range=180d`);
  const reader = startImport(directory, ledger.home);
  /** Lets it read until it has read more than so many files, and no further. */
  const readMoreThan = async (files: number): Promise<number> => {
    reader.kill('SIGCONT');
    for (;;) {
      const { importing } = await answerOf<Answers['GET /v1/standing']>(ledger, '/v1/standing');
      if (importing !== null && importing.files > files) break;
      await sleep(20);
    }
    reader.kill('SIGSTOP');
    const { importing } = await answerOf<Answers['GET /v1/standing']>(ledger, '/v1/standing');
    return importing?.files ?? 0;
  };
  const filesRead = page.locator('.figure', { hasText: 'Files' }).first().locator('.value');
  const projects = page.getByRole('region', { name: 'Projects' }).last();

  const signs = [
    page.getByRole('heading', { name: 'Your history is being read' }),
    page.getByText(/^import \d+ %$/),
  ];
  const isShown = (): Promise<boolean> =>
    Promise.all(signs.map((sign) => sign.waitFor({ timeout: lookMsMax }))).then(
      () => true,
      () => false,
    );
  // Held for ten seconds it counts as stopped: before a slow page has shown it, it goes on a bit.
  let first = await readMoreThan(0);
  while (!(await isShown())) first = await readMoreThan(first);
  await expect.poll(() => filesRead.textContent()).toBe(`${first} of ${made.files}`);
  // Numbers are there before it ends, each with the mark of what still grows.
  await projects.getByText('still counting').first().waitFor();
  // Held for long enough, it counts as stopped.
  await page.getByRole('heading', { name: 'Reading your history stopped' }).waitFor();
  expect(await axeViolations()).toEqual([]);

  const second = await readMoreThan(first);
  expect(second).toBeLessThan(made.files);
  await expect.poll(() => filesRead.textContent()).toBe(`${second} of ${made.files}`);

  reader.kill('SIGCONT');
  expect(await reader.done).toMatchObject({ exitCode: 0 });
  await filesRead.waitFor({ state: 'detached' });
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

it('says beside its sums, and on Health, that lines were not read', async () => {
  const directory = join(root, 'damaged');
  writeDemoSessions({ bytes: 100_000, files: 2, seed: 4, directory, until: new Date() });
  const ledger = await startedLedger({ data: 'none' });
  writeFileSync(join(directory, `${cutSession.id}.jsonl`), `${JSON.stringify(cutSession)}\n${cut}`);
  expect(await startImport(directory, ledger.home).done).toMatchObject({ exitCode: 1 });
  const { page, problems, axeViolations } = await browser.open(`${ledger.url}/?range=180d`);
  await page.getByText('lines not read may hold spend: see Health').waitFor();
  const link = page.locator('.figure', { hasText: 'In no sum' }).getByText('2 lines of files');
  await link.click();
  const section = page.getByRole('region', { name: 'Import' });
  await section.getByText('2 lines not read in 1 file: they may hold spend').waitFor();
  expect(await axeViolations()).toEqual([]);
  expect(problems()).toEqual([]);
});

const cutSession = { type: 'session', version: 3, id: 'cut', timestamp: new Date(), cwd: '/p' };
/** As a full disk leaves lines. */
const cut = '{"type":"message","id":"a1","mess\n{"type":"message","id":"a2","mess\n';
