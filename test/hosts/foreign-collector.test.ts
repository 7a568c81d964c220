/**
 * Another program listens at the collector's address and accepts everything: it receives nothing,
 * the host does not notice, the user is told once, and everything arrives when the collector comes.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { noticesOnStderr } from './support/host/notices.ts';
import { runPrint, startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension } from './support/ledger/ledger.ts';
import { figuresOf, ledgerHolds, truthOf } from './support/ledger/reconcile.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { startYesSayer } from './support/scenarios/stand-ins.ts';

/** Any value in the form of a token is used. */
const token = `pil_${'t'.repeat(43)}`;

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;

  beforeAll(async () => {
    llm = await startFakeLlm();
  });

  afterAll(() => llm.close());

  beforeEach(() => {
    sandbox = createSandbox({ host, llm, git: true });
  });

  afterEach(() => sandbox.dispose());

  test('a foreign program on the port gets neither events nor token', async () => {
    const ledger = await createLedger(sandbox, { flushIntervalMs: 0, token });
    const stranger = await startYesSayer(Number(new URL(ledger.url).port));
    const run = await runPrint(sandbox, { extension, prompt: 'SCN:tools' });
    await stranger.close();
    expect(run.exitCode).toBe(0);
    expect(noticesOnStderr(run)).toEqual([expect.stringContaining('is not a trusted collector')]);
    expect(stranger.requests.length).toBeGreaterThan(0);
    for (const { method, path, authorization } of stranger.requests) {
      expect({ method, authorization }).toEqual({ method: 'GET', authorization: null });
      expect(path).toMatch(/^\/v1\/proof\?/);
    }
    expect(truthOf(sandbox).records.length).toBe(6);

    // The collector requires no token here: the same home is enough.
    await ledger.start();
    const next = startRpc(sandbox, { extension, args: ['-c'] });
    await next.prompt('SCN:simple');
    await ledgerHolds(ledger, truthOf(sandbox));
    expect((await next.close()).exitCode).toBe(0);
    expect((await ledger.report()).total).toEqual(figuresOf(truthOf(sandbox).records));
  });
});
