/**
 * Problems around the extension must not affect the host: its output and exit code are those of a
 * host without it, and each problem is reported once. What could be stored is in the ledger
 * afterwards.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { noticesInEvents, noticesOnStderr, stderrWithoutNotices } from './support/host/notices.ts';
import type { HostRun } from './support/host/processes.ts';
import { runPrint, startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { figuresOf, truthOf } from './support/ledger/reconcile.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { canMount, mountSmallDisk, type SmallDisk } from './support/machine/disks.ts';
import { freePort } from './support/machine/ports.ts';
import { type StandIn, startHanging, startStranger } from './support/scenarios/stand-ins.ts';

const prompt = 'SCN:tools';

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let bare: HostRun;
  const standIns: StandIn[] = [];
  const disks: SmallDisk[] = [];

  beforeAll(async () => {
    llm = await startFakeLlm();
    const without = createSandbox({ host, llm, git: true });
    bare = await runPrint(without, { prompt });
    await without.dispose();
  });

  afterAll(() => llm.close());

  beforeEach(() => {
    sandbox = createSandbox({ host, llm, git: true });
  });

  afterEach(async () => {
    for (const disk of disks.splice(0)) disk.unmount();
    for (const standIn of standIns.splice(0)) await standIn.close();
    await sandbox.dispose();
  });

  /**
   * Runs the host with the extension, which must not be noticeable except for `notices` lines on
   * stderr.
   */
  const runsUnnoticed = async (
    env: Readonly<Record<string, string>>,
    notices: number,
  ): Promise<HostRun> => {
    const run = await runPrint(sandbox, { extension, prompt, env });
    expect(run).toMatchObject({ exitCode: bare.exitCode, signal: null, stdout: bare.stdout });
    expect(stderrWithoutNotices(run)).toBe(stderrWithoutNotices(bare));
    expect({ stderr: run.stderr, notices: noticesOnStderr(run).length }).toMatchObject({ notices });
    return run;
  };

  const reportSays = async (ledger: Ledger, expectedRecords: number) => {
    const { records } = truthOf(sandbox);
    expect(records.length).toBe(expectedRecords);
    expect((await ledger.report()).total).toEqual(figuresOf(records));
  };

  test('without a collector', async () => {
    const ledger = await createLedger(sandbox);
    await runsUnnoticed({}, 0);
    await reportSays(ledger, 6);
  });

  test('with an address where nobody listens', async () => {
    const ledger = await createLedger(sandbox, { flushIntervalMs: 0 });
    await runsUnnoticed({ PI_LEDGER_URL: `http://127.0.0.1:${await freePort()}` }, 0);
    await reportSays(ledger, 6);
  });

  test('with an address where somebody accepts and never answers', async () => {
    const ledger = await createLedger(sandbox, { flushIntervalMs: 0 });
    const hanging = await startHanging();
    standIns.push(hanging);
    await runsUnnoticed({ PI_LEDGER_URL: hanging.url }, 0);
    expect(hanging.requests.length).toBeGreaterThan(0);
    await reportSays(ledger, 6);
  });

  test.each([
    ['from the first turn on', 0],
    ['spoken to at the exit alone', 3_600_000],
  ])('with the address of another web server, %s', async (_when, flushIntervalMs) => {
    const ledger = await createLedger(sandbox, { flushIntervalMs, flushOnExitMs: 60_000 });
    const stranger = await startStranger();
    standIns.push(stranger);
    const run = await runsUnnoticed({ PI_LEDGER_URL: stranger.url }, 1);
    expect(noticesOnStderr(run)[0]).toContain('is not a trusted collector');
    await reportSays(ledger, 6);
  });

  test('with a home that cannot be written', async () => {
    writeFileSync(join(sandbox.root, 'file'), 'not a folder');
    const run = await runsUnnoticed({ PI_LEDGER_HOME: join(sandbox.root, 'file', 'ledger') }, 1);
    expect(noticesOnStderr(run)[0]).toContain('a part of this path is a file');
  });

  test('with a config.json that is broken, also when an RPC client changes sessions', async () => {
    mkdirSync(sandbox.ledgerHome);
    writeFileSync(join(sandbox.ledgerHome, 'config.json'), '{ "port": 7717,');
    const run = await runsUnnoticed({}, 1);
    expect(noticesOnStderr(run)[0]).toContain('config.json is not JSON');

    const rpc = startRpc(sandbox, { extension });
    await rpc.prompt('SCN:simple');
    await rpc.newSession();
    await rpc.prompt('SCN:simple');
    const { exitCode, stderr } = await rpc.close();
    expect(exitCode).toBe(0);
    expect([...noticesInEvents(rpc.events), ...noticesOnStderr({ stderr })]).toHaveLength(1);
  });

  describe.skipIf(!canMount())('with a disk that is full (needs the right to mount one)', () => {
    /** A file system of `bytes` that already contains the settings, as the ledger's home. */
    const smallHome = async (bytes: number): Promise<{ ledger: Ledger; disk: SmallDisk }> => {
      const disk = mountSmallDisk(sandbox.ledgerHome, bytes);
      disks.push(disk);
      return { disk, ledger: await createLedger(sandbox) };
    };
    const roomy = 64 * 1024 * 1024;

    test('from the first event on, until there is room again', async () => {
      const { ledger, disk } = await smallHome(4096);
      const rpc = startRpc(sandbox, { extension });
      await rpc.prompt('SCN:tools');
      disk.resize(roomy);
      await rpc.prompt('SCN:simple');
      const { exitCode, stderr } = await rpc.close();
      expect(exitCode).toBe(0);
      const notices = [...noticesInEvents(rpc.events), ...noticesOnStderr({ stderr })];
      expect(notices).toEqual([expect.stringContaining('cannot be written')]);
      await reportSays(ledger, 7);
    });

    test('half-way: the next run of the session makes up for it', async () => {
      const { ledger, disk } = await smallHome(4 * 4096);
      await runsUnnoticed({}, 1);
      disk.resize(roomy);
      expect(
        await runPrint(sandbox, { extension, prompt: 'SCN:simple', args: ['-c'] }),
      ).toMatchObject({ exitCode: 0 });
      await reportSays(ledger, 7);
    });
  });
});
