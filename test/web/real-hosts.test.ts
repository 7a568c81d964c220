/**
 * An open page while a real host works: what it shows is what the session files say, read by code
 * that shares nothing with the product.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hosts } from '../hosts/support/host/hosts.ts';
import { ensureHosts } from '../hosts/support/host/install.ts';
import { runPrint } from '../hosts/support/host/run-host.ts';
import { createSandbox, type Sandbox } from '../hosts/support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from '../hosts/support/ledger/ledger.ts';
import { truthOf } from '../hosts/support/ledger/reconcile.ts';
import { type FakeLlm, startFakeLlm } from '../hosts/support/llm/fake-llm.ts';
import { useBrowser } from './support/browser.ts';

const browser = useBrowser({ isWhole: true });
let llm: FakeLlm;
let sandbox: Sandbox;
let ledger: Ledger;

beforeAll(async () => {
  await ensureHosts();
  llm = await startFakeLlm();
});
afterAll(() => llm.close());

describe.each(hosts)('$name', (host) => {
  beforeEach(async () => {
    sandbox = createSandbox({ host, llm });
    ledger = await createLedger(sandbox);
    await ledger.start();
  });
  afterEach(async () => {
    await ledger.stop();
    await sandbox.dispose();
  });

  it('fills an open page with what it spent, to the nano-dollar, and its session', async () => {
    const { page, problems } = await browser.open(`${ledger.url}/`);
    await page.getByText('Nothing is recorded yet').waitFor();
    const run = await runPrint(sandbox, { prompt: ['SCN:tools', 'SCN:drop'], extension });
    expect(run.exitCode).toBe(0);
    const { totals } = truthOf(sandbox);
    expect(totals.costNanoUsd).toBeGreaterThan(0n);
    const projects = page.getByRole('region', { name: 'Projects' }).last();
    const amounts = projects.locator('tbody .money').first();
    await expect.poll(() => amounts.getAttribute('title')).toBe(`${usd(totals.costNanoUsd)} USD`);

    await page.getByRole('region', { name: 'Newest sessions' }).last().locator('a').first().click();
    await page.getByRole('heading', { name: /^Session / }).waitFor();
    const spent = page.locator('.figure .money').first();
    expect(await spent.getAttribute('title')).toBe(`${usd(totals.costNanoUsd)} USD`);
    expect(problems()).toEqual([]);
  });
});

/** All digits and no zeros after them, as a figure of the page has in its title. */
function usd(nanoUsd: bigint): string {
  const places = String(nanoUsd % 1_000_000_000n).padStart(9, '0');
  return `${nanoUsd / 1_000_000_000n}.${places}`.replace(/\.?0+$/, '');
}
