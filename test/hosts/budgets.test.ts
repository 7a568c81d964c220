/** A hard budget that is over, in a real terminal: said, asked about, and obeyed. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { type HostTerminal, openTerminal } from './support/host/terminal.ts';
import { createLedger, extension } from './support/ledger/ledger.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

describe.each(hosts.filter(({ name }) => name !== 'pi073'))('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let terminal: HostTerminal | null = null;

  beforeEach(async () => {
    llm = await startFakeLlm();
    // Else omp sets itself up first.
    const settings = host.family === 'omp' ? { setupVersion: 1_000 } : {};
    sandbox = createSandbox({ host, llm, settings });
  });

  afterEach(async () => {
    await terminal?.end();
    terminal = null;
    await sandbox.dispose();
    await llm.close();
  });

  const shows = (text: string | RegExp) =>
    expect.poll(() => terminal?.screen(), { timeout: 45_000, interval: 100 }).toMatch(text);
  const prompts = () => llm.served('turn').length;
  /** Of the last screen: what scrolled off stays. */
  const dialogs = () => terminal?.screen().match(/Send the prompt all the same\?/g)?.length ?? 0;

  test('a hard budget is asked about: no sends nothing, yes sends, and once', async () => {
    const budget = { per: 'month', limit: 0.001, in: 'metered dollars', hard: true };
    const ledger = await createLedger(sandbox, { budgets: [{ name: 'tiny', ...budget }] });
    await ledger.start();
    // Without a person there is nobody to ask.
    expect((await runPrint(sandbox, { extension, prompt: 'SCN:simple' })).exitCode).toBe(0);
    await expect
      .poll(async () => (await ledger.run('budgets', '--json')).stdout, { timeout: 20_000 })
      .toMatch(/"state": ?"over"/);
    const before = prompts();
    expect(before).toBeGreaterThan(0);

    terminal = openTerminal(sandbox, { extension });
    await shows(/Budget tiny is over: \$0\.\d+ of \$0\.001 this month/);
    terminal.type('refused SCN:simple');
    await shows('refused SCN:simple');
    terminal.type('\r');
    await shows('Send the prompt all the same?');
    terminal.type('\x1b');
    // The dialog is gone, and the editor has its text again.
    await expect.poll(dialogs, { timeout: 20_000 }).toBe(0);
    await shows('refused SCN:simple');
    expect(prompts()).toBe(before);

    terminal.type('\r');
    await shows('Send the prompt all the same?');
    terminal.type('\r');
    await expect.poll(prompts, { timeout: 20_000 }).toBe(before + 1);
    // Its answer is there: the next prompt is not one to a working agent.
    await shows('Hello from the fake model.');
    terminal.type('again SCN:simple');
    await shows('again SCN:simple');
    terminal.type('\r');
    await expect.poll(prompts, { timeout: 20_000 }).toBe(before + 2);
    expect(dialogs()).toBe(0);
  });
});
