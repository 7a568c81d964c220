/** `/ledger`, its completion and the footer on the screen of a real terminal. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runJson, runPrint, startRpc } from './support/host/run-host.ts';
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

  async function enter(text: string): Promise<void> {
    terminal?.type(text);
    await shows(text);
    terminal?.type('\r');
  }

  test('/ledger and the footer show sums of a running collector', async () => {
    const ledger = await createLedger(sandbox, { footer: true });
    await ledger.start();
    terminal = openTerminal(sandbox, { extension });
    await shows(/\$0\.00 session/);
    await enter('SCN:simple');
    await shows(/\$0\.\d\d session · \$0\.\d\d today · ctx \d+%/);
    terminal.type('/ledger sp');
    await shows(/which events are still to be sent/);
    terminal.type('\x15');
    await enter('/ledger today');
    await shows(/Today, all projects.*: \$0\.0\d/);
  });

  test('without a collector both say what is not known', async () => {
    await createLedger(sandbox, { footer: true });
    terminal = openTerminal(sandbox, { extension });
    await shows(/\$0\.00 session · today (…|n\/a) · ctx n\/a/);
    await enter('/ledger today');
    await shows(/not known: no collector/);
    await shows(/today n\/a/);
  });

  test('print, json and rpc modes show no footer', async () => {
    await createLedger(sandbox, { footer: true });
    const run = await runPrint(sandbox, { extension, prompt: 'SCN:simple' });
    const json = await runJson(sandbox, { extension, prompt: 'SCN:simple' });
    const rpc = startRpc(sandbox, { extension });
    await rpc.prompt('SCN:simple');
    const ended = await rpc.close();
    for (const { stdout, stderr, exitCode } of [run, json, ended]) {
      expect(exitCode).toBe(0);
      expect(`${stdout}${stderr}`).not.toMatch(/ session · |"setStatus"/);
    }
  });
});
