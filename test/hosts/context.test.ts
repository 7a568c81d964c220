/**
 * What real hosts report of their context: limits, what precedes the first message, why they
 * compact.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import type { RpcClient } from './support/host/rpc-client.ts';
import { startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

type Data = Readonly<Record<string, unknown>>;

/** A window of 10,000 tokens, 1,000 in reserve, about 100 kept: see support/host-config.ts. */
const small = 'fake-openai/fake-small';

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;

  beforeEach(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    ledger = await createLedger(sandbox);
  });
  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  const dataOf = async (type: string): Promise<readonly Data[]> =>
    (await ledger.store.events()).flatMap((event) => (event.type === type ? [event.data] : []));

  test('tells its limits, its prompt and its tools, and why it compacts', async () => {
    await ledger.start();
    const rpc = startRpc(sandbox, { model: small, extension });
    await rpc.prompt('SCN:big');
    await rpc.prompt('SCN:tools');
    await rpc.request({ type: 'compact', customInstructions: 'short please' });
    await rpc.prompt('SCN:simple');
    const context = await shown(rpc, '/ledger context');
    const compactions = await shown(rpc, '/ledger compactions');
    expect((await rpc.close()).exitCode).toBe(0);

    await eventually(
      async () =>
        expect(await dataOf('pi.turn.completed.v1')).toHaveLength(llm.served('turn').length),
      { intervalMs: 100 },
    );
    const [first, ...later] = await dataOf('pi.context.sampled.v1');
    expect(first).toMatchObject({
      source: 'provider',
      windowTokens: 10_000,
      autoCompaction: true,
      // omp keeps back 15 % of the window at least.
      thresholdTokens: host.family === 'pi' ? 9_000 : 8_500,
      reserveTokens: host.family === 'pi' ? 1_000 : 1_500,
      keepRecentTokens: 100,
      limitsSource: host.family === 'pi' ? 'files' : 'host',
      toolSetHash: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(first?.systemPromptChars).toBeGreaterThanOrEqual('Lab agent.'.length);
    expect(first?.toolDefinitionChars ?? null).toEqual(
      host.family === 'pi' ? expect.any(Number) : null,
    );
    expect(later.filter((sample) => 'toolSetHash' in sample)).toEqual([]);
    expect(later.filter(({ source }) => source === 'provider').length).toBeGreaterThan(5);

    const timed = await dataOf('pi.compaction.timed.v1');
    const manual = timed.at(-1);
    expect(timed.length).toBe((await dataOf('pi.compaction.completed.v1')).length);
    expect(timed.length).toBeGreaterThan(1);
    expect(timed.map(({ fromExtension }) => fromExtension)).toEqual(timed.map(() => false));
    expect(timed.map(({ durationMs }) => typeof durationMs)).toEqual(timed.map(() => 'number'));
    expect(timed[0]?.trigger).toBe(host.name === 'pi073' ? null : 'threshold');
    expect(manual?.trigger).toBe(host.name === 'pi073' ? null : 'manual');
    expect(context).toMatch(/^Context: [\d,]+ of 10,000 tokens \(\d+ %\), measured\n/);
    expect(context).toMatch(/measured\nThe host compacts above [89],[05]00, in [\d,]+ tokens /);
    expect(context).toMatch(/\nFilled by: \D+ \d+ %, /);
    expect(compactions.split('\n')).toHaveLength(1 + timed.length);
    expect(compactions).toMatch(
      /-> [\d,]+ tokens measured · (cost unknown|\$0\.\d{4}) · (<0\.1|[\d.]+) s$/,
    );
    expect(manual?.instructionsChars).toBe(
      host.family === 'pi' ? 'short please'.length : undefined,
    );
  });
});

/** The host's output for a command; it settles at once, without a run. */
async function shown(rpc: RpcClient, command: string): Promise<string> {
  await rpc.request({ type: 'prompt', message: command });
  const notice = await rpc.waitFor(
    ({ type, method }) => type === 'extension_ui_request' && method === 'notify',
  );
  return String(notice.message);
}
