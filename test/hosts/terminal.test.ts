/** `/ledger`, its completion and the footer on the screen of a real terminal. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ensureHosts } from './support/host/install.ts';
import { runJson, runPrint, startRpc } from './support/host/run-host.ts';
import { terminalHosts, terminalTests } from './support/host/terminal-tests.ts';
import { createLedger, extension } from './support/ledger/ledger.ts';

beforeAll(() => ensureHosts());

describe.each(terminalHosts)('$name', (host) => {
  const terminal = terminalTests(host);

  test('/ledger and the footer show sums of a running collector', async () => {
    const ledger = await createLedger(terminal.sandbox, { footer: true });
    await ledger.start();
    terminal.open({ extension });
    await terminal.shows(/\$0\.00 session/);
    await terminal.enter('SCN:simple');
    await terminal.shows(/\$0\.\d\d session · \$0\.\d\d today · ctx \d+%/);
    terminal.type('/ledger sp');
    await terminal.shows(/which events are still to be sent/);
    terminal.type('\x15');
    await terminal.enter('/ledger today');
    await terminal.shows(/Today, all projects.*: \$0\.0\d/);
  });

  test('without a collector both say what is not known', async () => {
    await createLedger(terminal.sandbox, { footer: true });
    terminal.open({ extension });
    await terminal.shows(/\$0\.00 session · today (…|n\/a) · ctx n\/a/);
    await terminal.enter('/ledger today');
    await terminal.shows(/not known: no collector/);
    await terminal.shows(/today n\/a/);
  });

  test('print, json and rpc modes show no footer', async () => {
    await createLedger(terminal.sandbox, { footer: true });
    const run = await runPrint(terminal.sandbox, { extension, prompt: 'SCN:simple' });
    const json = await runJson(terminal.sandbox, { extension, prompt: 'SCN:simple' });
    const rpc = startRpc(terminal.sandbox, { extension });
    await rpc.prompt('SCN:simple');
    const ended = await rpc.close();
    for (const { stdout, stderr, exitCode } of [run, json, ended]) {
      expect(exitCode).toBe(0);
      expect(`${stdout}${stderr}`).not.toMatch(/ session · |"setStatus"/);
    }
  });
});
