/** What providers say of a plan's windows to real hosts, as `pi-ledger quota` shows it. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension } from './support/ledger/ledger.ts';
import { spoolIsRead } from './support/ledger/spool-read.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

const hourMs = 3_600_000;

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;

  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  test('shows the windows that the provider tells of, and not its limits of a minute', async () => {
    const resetSeconds = Math.floor((Date.now() + 2 * hourMs) / 1_000);
    llm = await startFakeLlm({
      headers: {
        'anthropic-ratelimit-unified-5h-utilization': '0.62',
        'anthropic-ratelimit-unified-5h-reset': String(resetSeconds),
        'anthropic-ratelimit-unified-5h-status': 'allowed',
        'x-codex-secondary-used-percent': '41.5',
        'x-codex-secondary-window-minutes': '10080',
        'x-codex-secondary-reset-at': String(resetSeconds),
        'x-ratelimit-limit-requests': '100',
        'x-ratelimit-remaining-requests': '99',
        'x-ratelimit-reset-requests': '6m0s',
      },
    });
    sandbox = createSandbox({ host, llm });
    const ledger = await createLedger(sandbox);
    await ledger.start();
    expect((await runPrint(sandbox, { prompt: 'SCN:simple', extension })).exitCode).toBe(0);
    await spoolIsRead(ledger);

    const { exitCode, stdout } = await ledger.run('quota');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/fake-openai +5 h +62 % +▇▇▇▇▇▇▁▁▁▁ .* provider +\d{4}-/);
    const { rows } = JSON.parse((await ledger.run('quota', '--json')).stdout);
    expect(rows).toMatchObject([
      {
        window: 'unified-5h',
        source: 'provider',
        usedShare: 0.62,
        status: 'allowed',
        endsAt: new Date(resetSeconds * 1_000).toISOString(),
        startsAt: new Date(resetSeconds * 1_000 - 5 * hourMs).toISOString(),
      },
      {
        window: 'codex-10080m',
        name: 'week',
        usedShare: 0.415,
        endsAt: new Date(resetSeconds * 1_000).toISOString(),
      },
    ]);
    const told = (await ledger.store.events()).filter(
      ({ type }) => type === 'pi.response.received.v1',
    );
    expect(rows[0].toldAt).toBe(
      told
        .map(({ time }) => time)
        .toSorted()
        .at(-1),
    );
    expect(rows[0].session).toBe(told[0]?.subject);

    const history = JSON.parse((await ledger.run('quota', 'history', '--json')).stdout);
    const used = { users: 1, windows: 1, fullWindows: 0, plansNeeded: 1 };
    expect(history.rows).toMatchObject([
      { window: 'unified-5h', usedWindows: 0.62, peakWindows: 0.62, ...used },
      { window: 'codex-10080m', usedWindows: 0.415, peakWindows: 0.415, ...used },
    ]);
  });
});
