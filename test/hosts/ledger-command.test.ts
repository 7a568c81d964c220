/**
 * `/ledger` in real hosts: it answers in every state of the extension, and never reaches the model,
 * which would cost money. Several copies of the extension act as one.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { noticesOnStderr } from './support/host/notices.ts';
import type { HostRun } from './support/host/processes.ts';
import { runPrint, startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, repositoryRoot } from './support/ledger/ledger.ts';
import { truthOf } from './support/ledger/reconcile.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;

  beforeEach(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
  });

  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  const asksLedger = async (
    env: Readonly<Record<string, string>>,
    extensions: string | readonly string[] = extension,
  ): Promise<HostRun> => {
    const before = llm.requests.length;
    const run = await runPrint(sandbox, { extension: extensions, prompt: '/ledger', env });
    expect({ ...run, requests: llm.requests.length - before }).toMatchObject({
      exitCode: 0,
      requests: 0,
    });
    return run;
  };

  test('/ledger of a disabled or misconfigured extension says so, and calls no model', async () => {
    expect((await asksLedger({ PI_LEDGER_DISABLED: '1' })).stderr).toContain(
      'records nothing: it is switched off (PI_LEDGER_DISABLED)',
    );
    mkdirSync(sandbox.ledgerHome);
    writeFileSync(join(sandbox.ledgerHome, 'config.json'), '{ "port": 7717,');
    expect((await asksLedger({})).stderr).toContain('config.json is not JSON');
  });

  test('/ledger of a resumed session shows all of it', async () => {
    await createLedger(sandbox);
    expect(await runPrint(sandbox, { extension, prompt: 'SCN:tools' })).toMatchObject({
      exitCode: 0,
    });
    const { records } = truthOf(sandbox);
    const before = llm.requests.length;
    const { stderr } = await runPrint(sandbox, { extension, prompt: '/ledger', args: ['-c'] });
    expect(llm.requests.length).toBe(before);
    expect(stderr).toContain(`Session: ${records.length} records`);
    expect(stderr).toContain('this process recorded 0 of them');
  });

  test('/ledger without a terminal waits for what the collector answers', async () => {
    const ledger = await createLedger(sandbox);
    await ledger.start();
    expect(await runPrint(sandbox, { extension, prompt: 'SCN:tools' })).toMatchObject({
      exitCode: 0,
    });
    const { records } = truthOf(sandbox);
    await expect.poll(async () => (await ledger.report()).total.records).toBe(records.length);
    const ask = () => runPrint(sandbox, { extension, prompt: '/ledger', args: ['-c'] });
    expect((await ask()).stderr).toContain(`Session: ${records.length} records`);
    // On a busy machine an answer may take longer than the second that it waits.
    await expect.poll(async () => (await ask()).stderr).toMatch(/Today, all projects.*: \$\d/);
  });

  test('events recorded without a collector arrive soon after one starts', async () => {
    const ledger = await createLedger(sandbox, { flushIntervalMs: 0 });
    const rpc = startRpc(sandbox, { extension });
    await rpc.prompt('SCN:simple');
    await ledger.start();
    await expect
      .poll(async () => (await ledger.report()).total.records)
      .toBe(truthOf(sandbox).records.length);
    expect((await rpc.close()).exitCode).toBe(0);
  });

  test('three copies act as one: one attempt per run, and /ledger answers', async () => {
    await createLedger(sandbox);
    const bundle = join(repositoryRoot, 'extension', 'dist');
    const copies = ['one', 'two'].map((name) => {
      cpSync(bundle, join(sandbox.root, name, 'dist'), { recursive: true });
      return join(sandbox.root, name, 'dist', 'index.cjs');
    });
    const run = await runPrint(sandbox, { extension: [extension, ...copies], prompt: 'SCN:tools' });
    expect(run).toMatchObject({ exitCode: 0 });
    const notices = noticesOnStderr(run);
    expect(notices).toHaveLength(2);
    for (const [index, copy] of copies.entries()) {
      expect(notices[index]).toContain(`${bundle}/index.cjs records`);
      expect(notices[index]).toContain(`${copy} does nothing`);
    }
    const runs = spooledEvents(sandbox).filter(({ type }) => type === 'pi.run.completed.v1');
    expect(runs.map(({ data }) => data)).toEqual([expect.objectContaining({ attempts: 1 })]);
    expect((await asksLedger({}, [extension, ...copies])).stderr).toMatch(/^Session: /m);
  });
});

interface SpooledEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function spooledEvents({ ledgerHome }: Sandbox): readonly SpooledEvent[] {
  const spool = join(ledgerHome, 'spool');
  const segments = readdirSync(spool, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ndjson'),
  );
  return segments.flatMap((name) =>
    readFileSync(join(spool, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SpooledEvent),
  );
}
