/**
 * The collector is killed (-9) repeatedly, at random points of its start and its work, while a host
 * works and sometimes dies too; both restart in any order. In the end the ledger contains what the
 * session files contain.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import type { RpcClient } from './support/host/rpc-client.ts';
import { startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { ledgerHolds, reportsAgree, truthOf } from './support/ledger/reconcile.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { type Dice, dice, seed } from './support/machine/dice.ts';

/** With three hosts: 30 in all. */
const killsPerHost = 10;

beforeAll(async () => {
  console.log(`PI_LEDGER_TEST_SEED=${seed}`);
  await ensureHosts();
});

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;

  beforeAll(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm, git: true });
    // Events leave the spool at once, so that kills happen while they are in transit.
    ledger = await createLedger(sandbox, { flushIntervalMs: 0 });
  });

  afterAll(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  test(`${killsPerHost} kills of the collector and host lose and repeat nothing`, async () => {
    const random = dice(`collector ${host.name}`);
    const worker = createWorker(sandbox);
    for (let kill = 0; kill < killsPerHost; kill += 1) {
      if (kill === 3 || kill === 7) await bothDown(ledger, worker, random);
      await killOnce(ledger, worker, random);
    }
    await worker.stop();
    await ledger.start();
    const truth = truthOf(sandbox);
    expect(truth.records.length).toBeGreaterThan(2 * killsPerHost);
    await ledgerHolds(ledger, truth);
    await reportsAgree((by) => ledger.report('--by', by), truth, null);
    expect(await ledger.stop()).toMatchObject({ exitCode: 0 });
  });
});

/** Started, working with a host, and killed; one in four already while starting. */
async function killOnce(ledger: Ledger, worker: Worker, random: Dice): Promise<void> {
  if (random.chance(0.25)) {
    ledger.launch();
    await Promise.all([worker.round(), sleep(random.below(400))]);
  } else {
    await ledger.start();
    const work = worker.round();
    await sleep(random.below(600));
    await ledger.kill();
    await work;
  }
  await ledger.kill();
}

/** The host is killed while no collector runs; then one of the two comes first. */
async function bothDown(ledger: Ledger, worker: Worker, random: Dice): Promise<void> {
  await worker.kill();
  if (random.chance(0.5)) return;
  await ledger.start();
  await sleep(random.below(300));
  await ledger.kill();
}

/** A host that is running when there is work for it. */
interface Worker {
  /** A few turns, in the same session from first to last. */
  round(): Promise<void>;
  /** In the middle of a round. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

function createWorker(sandbox: Sandbox): Worker {
  let rpc: RpcClient | null = null;
  let hasSession = false;
  const awake = (): RpcClient => {
    rpc ??= startRpc(sandbox, { extension, args: hasSession ? ['-c'] : [] });
    hasSession = true;
    return rpc;
  };
  return {
    round: () => awake().prompt('SCN:loop:3'),
    async kill() {
      const victim = awake();
      await victim.prompt('SCN:simple');
      victim.send({ type: 'prompt', message: 'SCN:slow:200:50' });
      await victim.waitFor('message_update');
      await victim.kill();
      rpc = null;
    },
    async stop() {
      const { exitCode } = await awake().close();
      rpc = null;
      if (exitCode !== 0) throw new Error(`the host ended with ${exitCode}`);
    },
  };
}
