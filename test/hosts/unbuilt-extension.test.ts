/**
 * A clone without `npm install`, or with `--ignore-scripts`: hosts install its extension, which
 * records and ships anyway, or says what is wrong. `doctor` reports it.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cloneExtension, installExtension } from './support/host/host-install.ts';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { noticesOnStderr } from './support/host/notices.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, type Ledger, repositoryRoot } from './support/ledger/ledger.ts';
import { ledgerHolds, truthOf } from './support/ledger/reconcile.ts';
import { startRemoteLedger } from './support/ledger/remote-ledger.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let folder: string;

  beforeEach(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    folder = cloneExtension(sandbox);
  });

  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  const doctorSays = async (ledger: Ledger) => {
    const { findings } = JSON.parse((await ledger.run('doctor', '--json')).stdout) as {
      findings: { check: string; state: string; detail: string }[];
    };
    return findings.find(({ check }) => check === host.family);
  };

  test('its sources record, and ship to a collector elsewhere, without any package', async () => {
    const { remote, token } = await startRemoteLedger(sandbox);
    const local = await createLedger(sandbox, { url: remote.url, token, flushOnExitMs: 60_000 });
    expect(await installExtension(sandbox, folder)).toMatchObject({ exitCode: 0 });
    const run = await runPrint(sandbox, { prompt: 'SCN:tools' });
    expect({ ...run, notices: noticesOnStderr(run) }).toMatchObject({ exitCode: 0, notices: [] });
    expect(truthOf(sandbox).records).toHaveLength(6);
    await ledgerHolds(remote, truthOf(sandbox));
    expect(await doctorSays(local)).toMatchObject({
      state: 'note',
      detail: expect.stringMatching(/from its sources.* `npm install`/),
    });
  });

  test('the doctor distinguishes bundles older than the sources from current ones', async () => {
    const ledger = await createLedger(sandbox);
    expect(await installExtension(sandbox, folder)).toMatchObject({ exitCode: 0 });
    cpSync(join(repositoryRoot, 'extension', 'dist'), join(folder, 'dist'), { recursive: true });
    expect(await doctorSays(ledger)).toMatchObject({ state: 'good' });
    for (const beside of ['contract/settings', 'core/record']) {
      const file = join(folder, '..', beside, 'new.ts');
      writeFileSync(file, '');
      expect(await doctorSays(ledger)).toMatchObject({ state: 'bad' });
      rmSync(file);
    }
    writeFileSync(join(folder, 'live', 'new.ts'), '');
    expect(await doctorSays(ledger)).toMatchObject({
      state: 'bad',
      detail: expect.stringMatching(/older than its sources.* `npm install`/),
    });
    rmSync(folder, { recursive: true });
    expect(await doctorSays(ledger)).toMatchObject({ state: 'bad' });
  });

  test('a damaged one says so once, answers /ledger, and does not disturb the host', async () => {
    await createLedger(sandbox);
    expect(await installExtension(sandbox, folder)).toMatchObject({ exitCode: 0 });
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist', 'index.cjs'), 'half a');
    expect(noticesOnStderr(await runPrint(sandbox, { prompt: 'SCN:simple' }))).toEqual([]);
    rmSync(join(folder, 'recorder.ts'));
    const run = await runPrint(sandbox, { prompt: 'SCN:simple' });
    expect({ ...run, notices: noticesOnStderr(run) }).toMatchObject({
      exitCode: 0,
      notices: [expect.stringMatching(/records nothing: .* cannot be loaded .* `npm install`/)],
    });
    const before = llm.requests.length;
    expect((await runPrint(sandbox, { prompt: '/ledger' })).stderr).toContain('cannot be loaded');
    expect(llm.requests.length).toBe(before);
  });
});
