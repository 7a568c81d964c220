/** A hard budget that is over, in a real terminal: said, asked about, obeyed; and an e-mail. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startMailServer } from '../collector/process/notices/support/mail-server.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint } from './support/host/run-host.ts';
import { terminalHosts, terminalTests } from './support/host/terminal-tests.ts';
import { createLedger, extension } from './support/ledger/ledger.ts';

beforeAll(() => ensureHosts());

describe.each(terminalHosts)('$name', (host) => {
  const terminal = terminalTests(host);
  const prompts = () => terminal.llm.served('turn').length;
  /** Of the last screen: what scrolled off stays. */
  const dialogs = () => terminal.screen().match(/Send the prompt all the same\?/g)?.length ?? 0;

  test('a hard budget is asked about: no sends nothing, yes sends, and once', async () => {
    const budget = { per: 'month', limit: 0.001, in: 'metered dollars', hard: true };
    const { at, received } = await startMailServer();
    const to = ['lead@example.com'];
    const mail = { server: `smtp://${at.host}:${at.port}`, from: 'ledger@example.com', to };
    const budgets = [{ name: 'tiny', ...budget }];
    const ledger = await createLedger(terminal.sandbox, { budgets, mail });
    await ledger.start();
    // What the log has before it looks is not told.
    await expect.poll(() => tellsFrom(ledger.url)).not.toBeNull();
    // Without a person there is nobody to ask.
    expect((await runPrint(terminal.sandbox, { extension, prompt: 'SCN:simple' })).exitCode).toBe(
      0,
    );
    await expect
      .poll(async () => (await ledger.run('budgets', '--json')).stdout)
      .toMatch(/"state": ?"over"/);
    await expect
      .poll(() => received.map(({ headers }) => headers.subject))
      .toEqual([
        expect.stringMatching(/^Budget tiny is over its limit, at \d+ %: .* metered, this month$/),
      ]);
    const before = prompts();
    expect(before).toBeGreaterThan(0);

    terminal.open({ extension });
    await terminal.shows(/Budget tiny is over: \$0\.\d+ of \$0\.0010 this month/);
    await terminal.enter('refused SCN:simple');
    await terminal.shows('Send the prompt all the same?');
    terminal.type('\x1b');
    // The dialog is gone, and the editor has its text again.
    await expect.poll(dialogs).toBe(0);
    await terminal.shows('refused SCN:simple');
    expect(prompts()).toBe(before);

    // Enter alone is a no.
    terminal.type('\r');
    await terminal.shows('Send the prompt all the same?');
    terminal.type('\r');
    await expect.poll(dialogs).toBe(0);
    await terminal.shows('refused SCN:simple');
    expect(prompts()).toBe(before);

    terminal.type('\r');
    await terminal.shows('Send the prompt all the same?');
    terminal.type('\x1b[B');
    terminal.type('\r');
    await expect.poll(prompts).toBe(before + 1);
    // Its answer is there: the next prompt is not one to a working agent.
    await terminal.shows('Hello from the fake model.');
    await terminal.enter('again SCN:simple');
    await expect.poll(prompts).toBe(before + 2);
    expect(dialogs()).toBe(0);
  });
});

interface Health {
  readonly subscribers: readonly { readonly name: string; readonly position: number | null }[];
}

/** Null: the subscriber that sends e-mail has not begun. */
async function tellsFrom(url: string): Promise<number | null> {
  const { subscribers }: Health = await (await fetch(`${url}/health/ready`)).json();
  return subscribers.find(({ name }) => name.startsWith('mail-'))?.position ?? null;
}
