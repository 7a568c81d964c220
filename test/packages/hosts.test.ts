/**
 * The extension from its package, installed by each host's own command from a registry with the
 * packages built here, and a collector installed from its tarball: the sessions' spend arrives.
 */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { hosts } from '../hosts/support/host/hosts.ts';
import { ensureHosts } from '../hosts/support/host/install.ts';
import { noticesOnStderr } from '../hosts/support/host/notices.ts';
import { startProcess } from '../hosts/support/host/processes.ts';
import { runPrint } from '../hosts/support/host/run-host.ts';
import { createSandbox, type Sandbox } from '../hosts/support/host/sandbox.ts';
import { createLedger } from '../hosts/support/ledger/ledger.ts';
import { ledgerHolds, truthOf } from '../hosts/support/ledger/reconcile.ts';
import { type FakeLlm, startFakeLlm } from '../hosts/support/llm/fake-llm.ts';
import { createNewcomer, type Newcomer } from './support/newcomer.ts';
import { nodes } from './support/nodes.ts';
import { npm, npmEnvironment } from './support/npm.ts';
import { type Registry, startRegistry } from './support/registry.ts';

const tarballs = inject('tarballs');
const installMsMax = 300_000;
let registry: Registry;
let collectors: Newcomer;

beforeAll(async () => {
  await ensureHosts();
  registry = await startRegistry(tarballs);
  collectors = await createNewcomer((await nodes[1]?.directory()) ?? '');
  await npm(collectors.folder, collectors.env, 'install', tarballs.collector.path);
});
afterAll(async () => {
  await collectors.dispose();
  await registry.close();
});

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;

  beforeEach(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    registry.useIn(sandbox.home);
  });
  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  test('the package records, and what it recorded arrives', async () => {
    const ledger = await createLedger(
      sandbox,
      {},
      sandbox.ledgerHome,
      join(collectors.folder, 'node_modules/@pi-ledger/collector/bin/pi-ledger.mjs'),
    );
    const { findings: before } = JSON.parse(
      (await ledger.run('doctor', '--json')).stdout,
    ) as Doctor;
    const line =
      host.family === 'pi'
        ? 'pi install npm:@pi-ledger/extension'
        : 'omp plugin install @pi-ledger/extension';
    expect(before.find(({ check }) => check === host.family)).toMatchObject({
      state: 'bad',
      detail: expect.stringContaining(`\`${line}\``),
    });

    expect(await install(sandbox, line)).toMatchObject({ exitCode: 0 });
    await ledger.start();
    const run = await runPrint(sandbox, { prompt: 'SCN:tools' });
    expect({ ...run, notices: noticesOnStderr(run) }).toMatchObject({ exitCode: 0, notices: [] });
    expect(truthOf(sandbox).records).toHaveLength(6);
    await ledgerHolds(ledger, truthOf(sandbox));

    const { findings } = JSON.parse((await ledger.run('doctor', '--json')).stdout) as Doctor;
    expect(findings.find(({ check }) => check === host.family)).toMatchObject({ state: 'good' });
    expect(findings.find(({ check }) => check === 'producers')).toMatchObject({ state: 'good' });
  });
});

interface Doctor {
  readonly findings: readonly {
    readonly check: string;
    readonly state: string;
    readonly detail: string;
  }[];
}

/** As a user types it; in all other tests these hosts are offline. */
function install({ host, home, env }: Sandbox, line: string) {
  const words = line.split(' ').slice(1);
  const online = Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'PI_OFFLINE'));
  const path = [
    env.PATH,
    ...(host.family === 'omp' ? [join(host.directory, 'node_modules/.bin')] : []),
  ].join(':');
  return startProcess([...host.command, ...words], {
    cwd: home,
    env: { ...npmEnvironment(), ...online, PATH: path },
    timeoutMs: installMsMax,
  }).done;
}
