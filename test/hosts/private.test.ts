/**
 * `/ledger pause` in real hosts: what is spent until `/ledger resume` stands in the session file
 * and nowhere else, over several processes, in forks and in subagents.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { printCommandLine, runPrint, startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { figuresOf, ledgerHolds, truthOf } from './support/ledger/reconcile.ts';
import { runReconcile } from './support/ledger/run-reconcile.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import type { SessionTruth } from './support/truth/session-truth.ts';

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;

  beforeEach(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    ledger = await createLedger(sandbox, { import: false });
    await ledger.start();
  });

  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  const says = async (prompt: readonly string[], ...args: readonly string[]) => {
    const run = await runPrint(sandbox, { extension, prompt, args });
    expect(run).toMatchObject({ exitCode: 0 });
    return run.stderr;
  };

  /** The log holds what is not private, reconcile agrees, and so does an import by itself. */
  async function holdsOnly(open: SessionTruth, hidden: number): Promise<void> {
    await ledgerHolds(ledger, open);
    expect(await runReconcile(ledger, sandbox)).toMatchObject({ exitCode: 0, faults: [] });
    const { stdout } = await ledger.run('reconcile', `--${host.family}`, sandbox.sessions);
    expect(stdout).toContain(hidden === 1 ? 'private' : `private x${hidden}`);
    const { meteredNanoUsd } = figuresOf(open.records);
    await ledger.run('import', `--${host.family}`, sandbox.sessions);
    expect((await ledger.report()).total).toMatchObject({
      records: open.records.length,
      meteredNanoUsd,
    });
    const other = createSandbox({ host, llm });
    try {
      const fresh = await createLedger(other, { import: false });
      await fresh.run('import', `--${host.family}`, sandbox.sessions);
      await ledgerHolds(fresh, open);
    } finally {
      await other.dispose();
    }
  }

  test('what is spent while a session is paused is in its file, not in the ledger', async () => {
    const before = llm.requests.length;
    const told = await says(['SCN:simple', '/ledger pause', 'SCN:simple', 'SCN:simple']);
    expect(told).toContain('Paused: nothing of this session is recorded until /ledger resume');
    await says(['SCN:simple'], '-c');
    expect(await says(['/ledger resume', 'SCN:simple'], '-c')).toMatch(
      /Resumed: \d+ entries since \/ledger pause not recorded, for good/,
    );
    expect(llm.requests.length).toBe(before + 5);
    const open = openOf(sandbox);
    expect(open.records).toHaveLength(2);
    expect(truthOf(sandbox).records).toHaveLength(5);
    await holdsOnly(open, 3);
    expect(JSON.stringify(llm.requests)).not.toContain('pi-ledger.recording');
  });

  test('a fork of a paused session is private until it is resumed', async () => {
    const rpc = startRpc(sandbox, { extension });
    await rpc.prompt('SCN:simple#one');
    await rpc.request({ type: 'prompt', message: '/ledger pause' });
    await rpc.prompt('SCN:simple#two');
    const [first] = await rpc.forkPoints();
    await rpc.fork(String(first?.entryId));
    await rpc.prompt('SCN:simple#three');
    await rpc.request({ type: 'prompt', message: '/ledger resume' });
    await rpc.prompt('SCN:simple#four');
    expect((await rpc.close()).exitCode).toBe(0);
    const open = openOf(sandbox);
    expect(open.records).toHaveLength(2);
    await holdsOnly(open, 1);
  });

  test('subagents of a paused session are private', async () => {
    const child = printCommandLine(sandbox, { extension, prompt: 'SCN:simple#child' });
    const prompt =
      host.family === 'omp'
        ? 'SCN:task:tools,simple'
        : `SCN:bash:${Buffer.from(child).toString('base64')}`;
    await says(['SCN:simple', '/ledger pause', prompt, '/ledger resume', 'SCN:simple']);
    expect(truthOf(sandbox).files.length).toBeGreaterThan(1);
    const open = openOf(sandbox);
    expect(open.records).toHaveLength(2);
    await ledgerHolds(ledger, open);
    expect(await runReconcile(ledger, sandbox)).toMatchObject({ exitCode: 0, faults: [] });
  });
});

/** The truth of the session files without what stands between our entries. */
function openOf(sandbox: Sandbox): SessionTruth {
  const hidden = new Set<string>();
  for (const name of readdirSync(sandbox.sessions, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.jsonl')) continue;
    let isPaused = false;
    for (const line of readFileSync(join(sandbox.sessions, name), 'utf8').trim().split('\n')) {
      const { id, customType, data } = JSON.parse(line);
      if (customType === 'pi-ledger.recording') isPaused = data.state === 'paused';
      else if (isPaused) hidden.add(id);
    }
  }
  const truth = truthOf(sandbox);
  return { ...truth, records: truth.records.filter(({ entryId }) => !hidden.has(entryId)) };
}
