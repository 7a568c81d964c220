/**
 * A slow collector must not slow down the host: turns do not wait for it, and the exit only within
 * its budget. Only the order of events matters, never how many milliseconds something took.
 */
import { mkdirSync } from 'node:fs';
import { leaseRefreshMs, writeLease } from '@pi-ledger/core/spool/lease';
import { readOwner } from '@pi-ledger/core/spool/owner';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint, startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { figuresOf, ledgerHolds, truthOf } from './support/ledger/reconcile.ts';
import { startRemoteLedger } from './support/ledger/remote-ledger.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { type StandIn, startHanging, startSlowProxy } from './support/scenarios/stand-ins.ts';

const neverMs = 3_600_000;
/** Below the sender's own limit of 5 s, so that only the exit's budget can cut it off. */
const slowAnswerMs = 4_000;

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  const standIns: StandIn[] = [];

  beforeAll(async () => {
    llm = await startFakeLlm();
  });

  afterAll(() => llm.close());

  beforeEach(() => {
    sandbox = createSandbox({ host, llm, git: true });
  });

  afterEach(async () => {
    for (const standIn of standIns.splice(0)) await standIn.close();
    await sandbox.dispose();
  });

  const standsIn = (standIn: StandIn): StandIn => {
    standIns.push(standIn);
    return standIn;
  };

  test('neither turns nor the exit wait for a collector that never answers', async () => {
    const local = await createLedger(sandbox, { flushIntervalMs: 0 });
    const hanging = standsIn(await startHanging());
    const askedMs: number[] = [];
    const forget = llm.onRequest(() => void askedMs.push(performance.now()));
    const rpc = startRpc(sandbox, { extension, env: { PI_LEDGER_URL: hanging.url } });
    await rpc.prompt('SCN:simple');
    await rpc.prompt('SCN:loop:3');
    await rpc.prompt('SCN:tools');
    expect((await rpc.close()).exitCode).toBe(0);
    forget();
    // Further turns were requested while a batch still waited for its answer, which never came.
    const { requests } = hanging;
    expect(new Set(requests.map(({ outcome }) => outcome))).toEqual(new Set(['abandoned']));
    const meanwhile = requests.map(
      ({ arrivedMs, endedMs }) => askedMs.filter((ms) => ms > arrivedMs && ms < endedMs).length,
    );
    expect(Math.max(...meanwhile)).toBeGreaterThan(2);
    expect((await local.report()).total).toEqual(figuresOf(truthOf(sandbox).records));
  });

  test('an exit does not wait for a slow answer, and everything still arrives once', async () => {
    let delayMs = slowAnswerMs;
    const { remote, token } = await startRemoteLedger(sandbox);
    const proxy = standsIn(await startSlowProxy(remote.url, () => delayMs));
    await createLedger(sandbox, { url: proxy.url, token, flushIntervalMs: 0 });
    expect(await runPrint(sandbox, { extension, prompt: 'SCN:tools' })).toMatchObject({
      exitCode: 0,
    });
    expect(batches(proxy).at(-1)?.outcome).not.toBe('answered');

    delayMs = 0;
    const next = startRpc(sandbox, { extension, args: ['-c'] });
    await next.prompt('SCN:simple');
    await ledgerHolds(remote, truthOf(sandbox));
    expect((await next.close()).exitCode).toBe(0);
    expect((await remote.report()).total).toEqual(figuresOf(truthOf(sandbox).records));
  });

  test('an exit sends what is left, unless a collector reads this spool', async () => {
    const { remote, token } = await startRemoteLedger(sandbox);
    const proxy = standsIn(await startSlowProxy(remote.url, () => 0));
    const local = await createLedger(sandbox, {
      url: proxy.url,
      token,
      flushIntervalMs: neverMs,
      flushOnExitMs: 60_000,
    });
    expect(await runPrint(sandbox, { extension, prompt: 'SCN:tools' })).toMatchObject({
      exitCode: 0,
    });
    const { length } = batches(proxy);
    expect(length).toBeGreaterThan(0);
    expect((await remote.report()).total).toEqual(figuresOf(truthOf(sandbox).records));

    await holdingLease(local, async () => {
      expect(
        await runPrint(sandbox, { extension, prompt: 'SCN:tools', args: ['-c'] }),
      ).toMatchObject({ exitCode: 0 });
    });
    expect(batches(proxy).length).toBe(length);
  });
});

/** Not the questions about budgets, which headless runs ask too. */
function batches({ requests }: StandIn): StandIn['requests'] {
  return requests.filter(({ method }) => method === 'POST');
}

/** Like a collector that reads the spool from disk: this process keeps writing its lease. */
async function holdingLease(
  { spoolDirectory, url }: Ledger,
  work: () => Promise<void>,
): Promise<void> {
  mkdirSync(spoolDirectory, { recursive: true });
  const hold = () =>
    writeLease(spoolDirectory, { owner: readOwner(), url, refreshedAtMs: Date.now() });
  await hold();
  let holding = Promise.resolve();
  const timer = setInterval(() => {
    holding = holding.then(hold);
  }, leaseRefreshMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await holding;
  }
}
