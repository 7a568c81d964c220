/**
 * What real hosts report besides their entries: timing of answers, limits in responses, sources of
 * input, waits for the user.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint, startRpc } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension, type Ledger } from './support/ledger/ledger.ts';
import { spoolIsRead } from './support/ledger/spool-read.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

type Data = Readonly<Record<string, unknown>>;

/** Only a handful of numbers may be kept of these. */
const headers = {
  'x-ratelimit-limit-requests': '100',
  'x-ratelimit-remaining-requests': '99',
  'x-ratelimit-reset-requests': '6m0s',
  'anthropic-ratelimit-unified-5h-utilization': '0.42',
  'anthropic-ratelimit-unified-5h-reset': '1795312800',
  'anthropic-ratelimit-unified-5h-status': 'allowed',
  'x-request-id': 'req_S3CRET',
  'request-id': 'req_S3CRET',
  'anthropic-organization-id': 'S3CRET',
  'set-cookie': 'session=S3CRET',
};

/** Before the first byte; timers may fire a little early. */
const heldMs = 150;
const slackMs = 5;

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let ledger: Ledger;
  const isPi = host.family === 'pi';

  beforeEach(async () => {
    llm = await startFakeLlm({ headers });
  });
  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  async function begin(settings?: Data): Promise<void> {
    sandbox = createSandbox({ host, llm, ...(settings === undefined ? {} : { settings }) });
    ledger = await createLedger(sandbox);
    await ledger.start();
  }
  const dataOf = async (type: string): Promise<readonly Data[]> =>
    (await ledger.store.events()).flatMap((event) => (event.type === type ? [event.data] : []));

  test('tells how fast each answer came, and what its response said of limits', async () => {
    await begin();
    llm.onRequest(() => new Promise((resolve) => setTimeout(resolve, heldMs)));
    const startedMs = performance.now();
    const env = { PI_LEDGER_AGENT_NAME: 'nightly' };
    expect((await runPrint(sandbox, { prompt: 'SCN:tools', extension, env })).exitCode).toBe(0);
    const elapsedMs = performance.now() - startedMs;
    await spoolIsRead(ledger);

    const turns = await dataOf('pi.turn.completed.v1');
    expect(turns.length).toBeGreaterThan(4);
    const timed = await dataOf('pi.turn.timed.v1');
    expect(timed.map(({ entryId }) => entryId)).toEqual(
      isPi ? turns.map(({ entryId }) => entryId) : [],
    );
    for (const { timeToFirstByteMs, durationMs, status, provider, model } of timed) {
      expect(timeToFirstByteMs).toBeGreaterThanOrEqual(heldMs - slackMs);
      expect(timeToFirstByteMs).toBeLessThan(elapsedMs);
      // pi 1.x says it in the entry.
      if (host.name === 'pi160') expect(durationMs).toBeNull();
      else expect(durationMs).toBeGreaterThanOrEqual(Number(timeToFirstByteMs));
      expect([status, provider, model]).toEqual([200, 'fake-openai', 'fake-gpt']);
    }
    if (!isPi)
      for (const { timeToFirstTokenMs } of turns)
        expect(timeToFirstTokenMs).toBeGreaterThanOrEqual(heldMs - slackMs);

    const responses = await dataOf('pi.response.received.v1');
    expect(responses).toHaveLength(turns.length);
    expect(responses.map(({ leafEntryId }) => leafEntryId)).toEqual(
      turns.map(({ parentEntryId }) => parentEntryId),
    );
    const nothing = {
      limit: null,
      remaining: null,
      utilization: null,
      resetAtMs: null,
      status: null,
    };
    for (const { limits, ...response } of responses) {
      expect(response).toMatchObject({
        promptEntryId: turns[0]?.promptEntryId,
        provider: 'fake-openai',
        model: 'fake-gpt',
        status: 200,
        retryAfterMs: null,
      });
      expect(new Set(limits as Data[])).toEqual(
        new Set([
          {
            ...nothing,
            window: 'requests',
            limit: 100,
            remaining: 99,
            resetAtMs: expect.any(Number),
          },
          {
            ...nothing,
            window: 'unified-5h',
            utilization: 0.42,
            resetAtMs: 1_795_312_800_000,
            status: 'allowed',
          },
        ]),
      );
    }
    expect(JSON.stringify(await ledger.store.events())).not.toContain('S3CRET');
    expect((await dataOf('pi.session.attributed.v1')).map(({ agent }) => agent)).toEqual([
      { kind: 'main', name: 'nightly' },
    ]);
    expect(await dataOf('pi.input.received.v1')).toMatchObject(
      isPi ? [{ source: 'interactive', delivery: 'prompt' }] : [],
    );
    const { exitCode, stdout } = await ledger.run('reconcile');
    expect(stdout + String(exitCode)).toMatch(/0$/);
  });

  test('tells of attempts that failed and were made again', async () => {
    await begin();
    // omp repeats an overloaded request below its session.
    expect(
      (await runPrint(sandbox, { prompt: isPi ? 'SCN:retry' : 'SCN:drop', extension })).exitCode,
    ).toBe(0);
    await spoolIsRead(ledger);
    const turns = await dataOf('pi.turn.completed.v1');
    const failed = turns
      .filter(({ stopReason }) => stopReason === 'error')
      .map(({ entryId }) => entryId);
    expect(failed).toHaveLength(isPi ? 2 : 1);

    const timed = await dataOf('pi.turn.timed.v1');
    expect(timed.map(({ entryId }) => entryId)).toEqual(
      isPi ? turns.map(({ entryId }) => entryId) : [],
    );
    const begun = timed
      .filter(({ timeToFirstByteMs }) => timeToFirstByteMs !== null)
      .map(({ entryId }) => entryId);
    expect(begun).toEqual(isPi ? [turns.at(-1)?.entryId] : []);

    // pi does not report retries to extensions.
    const [first] = turns;
    expect(await dataOf('pi.retry.scheduled.v1')).toMatchObject(
      isPi
        ? []
        : [
            {
              leafEntryId: first?.entryId,
              promptEntryId: first?.promptEntryId,
              attempt: 1,
              attemptsMax: 3,
            },
          ],
    );
    expect(await dataOf('pi.retry.ended.v1')).toMatchObject(
      isPi ? [] : [{ attempts: 1, succeeded: true, promptEntryId: first?.promptEntryId }],
    );
  });

  test('tells when the agent is steered', async () => {
    await begin();
    const rpc = startRpc(sandbox, { extension });
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const asked = llm.waitForRequest(({ purpose }) => purpose === 'turn');
    const forget = llm.onRequest(() => mayAnswer);
    await rpc.request({ type: 'prompt', message: 'SCN:simple' });
    await asked;
    await rpc.request({ type: 'prompt', message: 'SCN:simple', streamingBehavior: 'steer' });
    forget();
    answer();
    await rpc.settled();
    expect((await rpc.close()).exitCode).toBe(0);
    await spoolIsRead(ledger);
    const inputs = await dataOf('pi.input.received.v1');
    const delivery = host.name === 'pi073' ? null : 'steer';
    expect(inputs.map((input) => [input.source, input.delivery])).toEqual(
      isPi
        ? [
            ['rpc', 'prompt'],
            ['rpc', delivery],
          ]
        : [],
    );
  });

  test.runIf(isPi && host.name !== 'pi073')('tells how long a dialog stood open', async () => {
    await begin();
    const asking = join(sandbox.root, 'asking.ts');
    writeFileSync(
      asking,
      `export default (pi) => pi.registerCommand('ask', {
        description: 'asks',
        handler: async (_args, ctx) => {
          await ctx.ui.confirm('private words', 'private words');
        },
      });\n`,
    );
    const rpc = startRpc(sandbox, { extension: [extension, asking] });
    const asked = rpc.request({ type: 'prompt', message: '/ask' });
    const { id } = await rpc.waitFor(
      ({ type, method }) => type === 'extension_ui_request' && method === 'confirm',
    );
    rpc.send({ type: 'extension_ui_response', id, confirmed: true });
    await asked;
    expect((await rpc.close()).exitCode).toBe(0);
    await spoolIsRead(ledger);
    expect(await dataOf('pi.human.waited.v1')).toMatchObject([
      { kind: 'confirm', answered: true, durationMs: expect.any(Number) },
    ]);
    expect(JSON.stringify(await ledger.store.events())).not.toContain('private words');
  });

  test.runIf(!isPi)('tells how long a tool waited for approval', async () => {
    await begin({ tools: { approvalMode: 'always-ask' } });
    const rpc = startRpc(sandbox, { extension });
    const done = rpc.prompt('SCN:parallel');
    const { id } = await rpc.waitFor(
      ({ type, method }) => type === 'extension_ui_request' && method === 'select',
    );
    rpc.send({ type: 'extension_ui_response', id, value: 'Approve' });
    await done;
    expect((await rpc.close()).exitCode).toBe(0);
    await spoolIsRead(ledger);
    const [turn] = await dataOf('pi.turn.completed.v1');
    expect(await dataOf('pi.human.waited.v1')).toMatchObject([
      {
        kind: 'approval',
        toolName: 'bash',
        approved: true,
        answered: true,
        turnEntryId: turn?.entryId,
      },
    ]);
  });
});
