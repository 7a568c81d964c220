/**
 * The host is killed (-9) repeatedly, at random points, while a collector runs, while none does,
 * and while it stops and starts. Every kill is followed by a resume of the same session, which is
 * the next victim; the last one may live. In the end the ledger contains what the session files
 * contain.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import {
  drawKillPoint,
  type KillPoint,
  killAt,
  lateKillPoint,
  victimTurns,
} from './support/host/kill-points.ts';
import { addProject } from './support/host/projects.ts';
import { runPrint, startPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { ledgerHolds, reportsAgree, truthOf } from './support/ledger/reconcile.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { type Dice, dice, seed } from './support/machine/dice.ts';

/** Of three sessions for each host; a long run takes more. */
const killsPerSession = Number(process.env.PI_LEDGER_TEST_KILLS ?? 5);

beforeAll(async () => {
  console.log(`PI_LEDGER_TEST_SEED=${seed}`);
  await ensureHosts();
});

describe.each(hosts)('$name', (host) => {
  const random = dice(`kill ${host.name}`);
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;

  beforeAll(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    ledger = await createLedger(sandbox);
  });

  afterAll(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  test.each([
    { collector: 'up', before: () => ledger.start(), between: async () => undefined },
    { collector: 'down', before: () => ledger.kill(), between: async () => undefined },
    {
      collector: 'coming and going',
      before: async () => undefined,
      between: () => comesOrGoes(ledger, random),
    },
  ])(
    `killed ${killsPerSession} times with the collector $collector, loses and repeats nothing`,
    async ({ collector, before, between }) => {
      const project = addProject(sandbox, collector.replaceAll(' ', '-'));
      await before();
      const points: KillPoint[] = [];
      for (let kill = 0; kill < killsPerSession; kill += 1) {
        await between();
        points.push(kill === 0 ? lateKillPoint(random) : drawKillPoint(random));
        expect(await killOnce(project, kill, points.at(-1) as KillPoint)).toBe('SIGKILL');
      }
      expect(
        await runPrint(project, { extension, prompt: 'SCN:simple#survivor', args: ['-c'] }),
      ).toMatchObject({ exitCode: 0 });
      if (collector !== 'up') {
        await ledger.kill();
        await ledger.start();
      }
      const truth = truthOf(sandbox);
      expect(truth.records.length).toBeGreaterThan(5);
      await ledgerHolds(ledger, truth).catch((error: unknown) => explain(error, points));
      await reportsAgree((by) => ledger.report('--by', by), truth, null);
    },
  );

  const killOnce = (project: Sandbox, kill: number, point: KillPoint) => {
    const tag = `${project.work.length}-${kill}`;
    const victim = startPrint(project, {
      extension,
      prompt: `SCN:loop:${victimTurns}#${tag}`,
      args: kill === 0 ? [] : ['-c'],
    });
    return killAt(point, victim, llm, tag);
  };
});

/** Killed, then started again without waiting until it listens. */
async function comesOrGoes(ledger: Ledger, random: Dice): Promise<void> {
  if (random.chance(0.5)) await ledger.kill();
  else if (!ledger.isRunning()) void ledger.start().catch(() => undefined);
}

function explain(error: unknown, points: readonly KillPoint[]): never {
  throw new Error(
    `PI_LEDGER_TEST_SEED=${seed}, kill points ${JSON.stringify(points)}\n${String(error)}`,
    { cause: error },
  );
}
