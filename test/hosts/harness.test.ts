/**
 * The harness alone, without any extension: real hosts play every scenario against the fake LLM
 * server, and their session files, read independently, must say exactly what the server sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import {
  printCommandLine,
  runJson,
  runPrint,
  startPrint,
  startRpc,
} from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import type { Purpose } from './support/llm/conversation.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';
import { promptTokens } from './support/llm/usage.ts';
import { readSessionTruth, type TruthRecord } from './support/truth/session-truth.ts';

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;

  beforeEach(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm, git: true });
  });

  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  const truth = () => readSessionTruth(sandbox.sessions);

  /**
   * `prompt+output` of every record, compared with what the server sent: one list for each side.
   */
  const spent = () => {
    const reported = truth().records.filter(({ unreported }) => !unreported);
    return reported.map(tokens).sort();
  };

  const served = (purpose?: Purpose) => {
    const told = llm.served(purpose);
    return told.map(({ usage }) => `${promptTokens(usage)}+${usage.outputTokens}`).sort();
  };

  const sumServed = (purpose: Purpose) =>
    llm.served(purpose).reduce((sum, { usage }) => sum + promptTokens(usage), 0);

  test('answers, uses tools one by one and in parallel, and survives failing tools', async () => {
    const prompt = ['SCN:simple', 'SCN:tools', 'SCN:parallel', 'SCN:toolerr'];
    const run = await runJson(sandbox, { prompt });
    expect(run).toMatchObject({ exitCode: 0, signal: null });
    expect(toolEnds(run.events)).toEqual(
      [...toolsOk, 'grep ok', 'read failed', ...parallel, ...toolerr].sort(),
    );
    expect(truth()).toMatchObject({ kinds: { turn: 1 + 6 + 2 + 5 }, copies: 0, orphans: 0 });
    expect(spent()).toEqual(served());
  });

  test('retries overload and a cut stream, and gives up on a refusal', async () => {
    const run = await runPrint(sandbox, { prompt: ['SCN:retry', 'SCN:drop', 'SCN:fatal'] });
    expect(run.exitCode).toBe(1);
    expect(llm.counters()).toEqual({
      requests: 6,
      open: 0,
      answered: 2,
      failed: 3,
      dropped: 1,
      aborted: 0,
    });
    // omp repeats an overloaded request below its session, so the two failures leave no entry.
    expect(truth().totals).toMatchObject({
      unreportedRecords: host.family === 'omp' ? 2 : 4,
      records: host.family === 'omp' ? 4 : 6,
    });
    expect(spent()).toEqual(served());
  });

  test('speaks the Anthropic API, where a cut answer has told what its prompt cost', async () => {
    const run = await runPrint(sandbox, {
      prompt: ['SCN:tools', 'SCN:drop'],
      model: 'fake-anthropic/fake-claude',
    });
    expect(run.exitCode).toBe(0);
    expect(truth().kinds).toEqual({ turn: 6 + 2 });
    expect(llm.counters()).toMatchObject({ answered: 7, dropped: 1 });
    expect(spent()).toEqual(served());
  });

  test('can be killed in the middle of an answer, or at the n-th request', async () => {
    const slow = startPrint(sandbox, { prompt: ['SCN:tools', 'SCN:slow:200:50'] });
    await llm.waitForRequest(({ scenario }) => scenario === 'slow');
    await sleep(150);
    slow.kill();
    expect(await slow.done).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    expect(spent()).toEqual(served());
    expect(truth().totals.records).toBe(6);

    const loop = startPrint(sandbox, { prompt: 'SCN:loop:50' });
    llm.onRequest(async ({ scenario, step }) => {
      if (scenario !== 'loop' || step !== 3) return;
      loop.kill();
      await loop.done;
    });
    expect(await loop.done).toMatchObject({ signal: 'SIGKILL' });
    expect(truth().totals.records).toBe(6 + 3);
    expect(llm.counters().aborted).toBe(2);
  });

  test('is driven by RPC through forks, clones and an abort; copies count once', async () => {
    const rpc = startRpc(sandbox);
    await rpc.prompt('SCN:simple#one');
    await rpc.prompt('SCN:loop:2#two');
    const points = await rpc.forkPoints();
    expect(points.map(({ text }) => text)).toEqual(['SCN:simple#one', 'SCN:loop:2#two']);
    await rpc.fork(points[1]?.entryId ?? '');
    await rpc.prompt('SCN:simple#three');
    if (host.family === 'pi') await rpc.clone();
    else await expect(rpc.clone()).rejects.toThrow(/clone/);
    await rpc.setModel('fake-openai/fake-free');
    await rpc.prompt('SCN:simple#free');
    const { sessionFile } = await rpc.state();
    await rpc.newSession();
    await rpc.prompt('SCN:simple#new');
    await rpc.switchSession(String(sessionFile));
    rpc.send({ type: 'prompt', message: 'SCN:slow:200:50' });
    await rpc.waitFor('message_update');
    await rpc.abort();
    expect((await rpc.close()).exitCode).toBe(0);

    const { totals, files, copies, orphans } = truth();
    expect(spent()).toEqual(served());
    // pi's new session goes back to the default model, omp's keeps the unpriced one.
    expect(totals).toMatchObject({
      records: 1 + 3 + 1 + 1 + 1 + 1,
      unreportedRecords: 1,
      unpricedRecords: host.family === 'pi' ? 1 : 2,
    });
    expect({ files: files.length, copies, orphans }).toEqual(
      host.family === 'pi'
        ? { files: 4, copies: 1 + 2, orphans: 0 }
        : { files: 3, copies: 1, orphans: 0 },
    );
  });

  test('compacts automatically and on request', async () => {
    const rpc = startRpc(sandbox, { model: 'fake-openai/fake-small' });
    await rpc.prompt('SCN:big');
    await rpc.prompt('SCN:tools');
    const automatic = llm.served('summary').length;
    expect(automatic).toBeGreaterThan(0);
    await rpc.compact();
    expect(llm.served('summary').length).toBeGreaterThan(automatic);
    expect((await rpc.close()).exitCode).toBe(0);

    const { records } = truth();
    const turns = records.filter(({ kind }) => kind === 'turn');
    expect(turns.map(tokens).sort()).toEqual(served('turn'));
    // pi 0.87 and newer write down what their summaries cost, and add two requests up when it
    // splits a turn.
    expect(truth().kinds).toEqual({
      turn: 1 + 6,
      ...(host.tellsSummaryUsage ? { compaction: 2 } : {}),
    });
    expect(sumOf(records, 'compaction')).toBe(host.tellsSummaryUsage ? sumServed('summary') : 0);
  });

  test('starts a child of itself by the bash tool, with a session and without', async () => {
    const child = (session: boolean) =>
      base64(printCommandLine(sandbox, { prompt: 'SCN:simple#child', session }));
    const run = await runPrint(sandbox, {
      prompt: [`SCN:bash:${child(true)}`, `SCN:bash:${child(false)}`],
    });
    expect(run.exitCode).toBe(0);
    expect(llm.requests.filter(({ tag }) => tag === 'child').length).toBe(2);
    expect(truth()).toMatchObject({ kinds: { turn: 2 + 2 + 1 }, files: { length: 2 } });
    expect(spent().length).toBe(served().length - 1);
  });

  test.runIf(host.family === 'omp')(
    'runs subagents, whose usage the parent only repeats',
    async () => {
      const run = await runPrint(sandbox, { prompt: 'SCN:task:tools,simple' });
      expect(run.exitCode).toBe(0);
      const { kinds, files } = truth();
      expect(files.length).toBe(3);
      expect(kinds).toEqual({ turn: 2 + 6 + 1, side_call: 2 });
      expect(sumOf(truth().records, 'turn')).toBe(sumServed('turn'));
      // Each subagent asks twice on the side: how hard to think, which is written down, and for a
      // label, which is not.
      expect(llm.served('side').length).toBe(4);
    },
  );
});

const toolsOk = ['bash ok', 'read ok', 'write ok', 'edit ok'];
const parallel = ['bash ok', 'read ok', 'read failed'];
const toolerr = ['read failed', 'read failed', 'no_such_tool failed', 'bash failed'];

function toolEnds(
  events: readonly { readonly type: string; readonly [key: string]: unknown }[],
): readonly string[] {
  const ends = events.filter(({ type }) => type === 'tool_execution_end');
  return ends
    .map(({ toolName, isError }) => `${String(toolName)} ${isError === true ? 'failed' : 'ok'}`)
    .sort();
}

function tokens(record: TruthRecord): string {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = record;
  return `${inputTokens + cacheReadTokens + cacheWriteTokens}+${outputTokens}`;
}

function sumOf(records: readonly TruthRecord[], kind: string): number {
  const ofKind = records.filter((record) => record.kind === kind);
  return ofKind.reduce(
    (sum, { inputTokens, cacheReadTokens, cacheWriteTokens }) =>
      sum + inputTokens + cacheReadTokens + cacheWriteTokens,
    0,
  );
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
