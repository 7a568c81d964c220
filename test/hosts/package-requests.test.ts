/**
 * Requests that a package sends to the host's model beside the session: counted live, by the name
 * of their host, where Node's client tells of them. The host's own requests are none of them,
 * however they end.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint, startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { runReconcile } from './support/ledger/run-reconcile.ts';
import { spoolIsRead } from './support/ledger/spool-read.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

await ensureHosts();

const background = join(import.meta.dirname, 'support', 'package', 'background-requests.ts');

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;
  const isPi = host.family === 'pi';

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

  const said = async () => {
    await spoolIsRead(ledger);
    return (await ledger.store.events()).flatMap(({ type, data }) =>
      type === 'pi.requests.observed.v1' ? [data] : [],
    );
  };
  const unexplained = async () =>
    (await said()).reduce(
      (sum, data) => sum + Number(data.unexplained) - Number(data.explainedLater),
      0,
    );
  const ofPackage = () => llm.requests.filter(({ tag }) => tag === 'background');

  test('of a package are counted, named and explained by reconcile', async () => {
    const rpc = startRpc(sandbox, { extension: [extension, background] });
    for (const prompt of ['SCN:tools', 'SCN:simple', 'SCN:retry']) await rpc.prompt(prompt);
    expect(await rpc.close()).toMatchObject({ exitCode: 0 });
    const requests = ofPackage().length;
    expect(requests).toBeGreaterThan(4);
    expect(await unexplained()).toBe(isPi ? requests : 0);
    if (!isPi) return;
    for (const data of await said())
      expect(data).toMatchObject({ host: '127.0.0.1', explainedLater: 0 });
    const { total } = JSON.parse((await ledger.run('report', '--json')).stdout);
    expect(total).toMatchObject({ packageRequests: requests });
    expect((await ledger.run('report')).stdout).toContain(`${requests} requests by packages`);
    expect(await runReconcile(ledger, sandbox)).toMatchObject({ exitCode: 0, faults: [] });
    const { stdout } = await ledger.run('reconcile', `--${host.family}`, sandbox.sessions);
    expect(stdout).toContain(`package_requests x${requests}`);
    expect(stdout).toContain(`${requests} requests by packages`);
  });

  test.each(['SCN:tools', 'SCN:retry', 'SCN:drop', 'SCN:fatal', 'SCN:parallel', 'SCN:toolerr'])(
    'are none where the host works alone: %s',
    async (prompt) => {
      await runPrint(sandbox, { extension, prompt: [prompt, 'SCN:simple'] });
      expect(llm.requests.length).toBeGreaterThan(1);
      expect(await said()).toEqual([]);
    },
  );

  test('are none in a session that is aborted, compacted, forked and left', async () => {
    const rpc = startRpc(sandbox, { extension });
    await rpc.prompt('SCN:tools');
    const asked = llm.waitForRequest(({ scenario }) => scenario === 'slow');
    const slow = rpc.request({ type: 'prompt', message: 'SCN:slow:60:50' });
    await asked;
    await slow;
    await rpc.abort();
    await rpc.settled();
    await rpc.prompt('SCN:tools');
    await rpc.compact();
    await rpc.prompt('SCN:simple');
    const [point] = await rpc.forkPoints();
    await rpc.fork(String(point?.entryId));
    await rpc.prompt('SCN:simple');
    await rpc.newSession();
    await rpc.prompt('SCN:retry');
    expect(await rpc.close()).toMatchObject({ exitCode: 0 });
    expect(await said()).toEqual([]);
  });

  test('are none where the host compacts by itself', async () => {
    const model = 'fake-openai/fake-small';
    await runPrint(sandbox, { extension, model, prompt: ['SCN:bigloop', 'SCN:big', 'SCN:simple'] });
    expect(llm.requests.some(({ purpose }) => purpose === 'summary')).toBe(true);
    expect(await said()).toEqual([]);
  });

  test('are none where subagents work', async () => {
    await runPrint(sandbox, { extension, prompt: ['SCN:task:tools,simple', 'SCN:simple'] });
    expect(await said()).toEqual([]);
  });

  test('of a private stretch are not told', async () => {
    const run = await runPrint(sandbox, {
      extension: [extension, background],
      prompt: ['/ledger pause', 'SCN:tools', '/ledger resume', 'SCN:simple'],
    });
    expect(run).toMatchObject({ exitCode: 0 });
    const isFacade = host.name !== 'pi073' && isPi;
    expect(await unexplained()).toBe(isPi ? (isFacade ? 2 : 1) : 0);
  });
});
