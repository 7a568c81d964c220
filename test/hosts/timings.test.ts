/** What models, tools and sessions show print of real hosts' work. */
import type { EventData, Spend } from '@pi-ledger/contract';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { createLedger, extension } from './support/ledger/ledger.ts';
import type { StoredEvent } from './support/ledger/ledger-store.ts';
import { spoolIsRead } from './support/ledger/spool-read.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

beforeAll(() => ensureHosts());

/** Before the first byte of each answer. */
const heldMs = 150;

/** What the answers cost that asked for a tool call: of one kind of billing in these runs. */
function sharedAmong(events: readonly StoredEvent[]) {
  const asking = events.flatMap(({ type, data }) => {
    const { spend, toolCalls } = data as EventData<'pi.turn.completed.v1'>;
    return type === 'pi.turn.completed.v1' && Object.keys(toolCalls).length > 0 ? [spend] : [];
  });
  expect(asking.length).toBeGreaterThan(0);
  const sum = (of: (spend: Spend) => number) => asking.reduce((all, each) => all + of(each), 0);
  return {
    meteredNanoUsd: String(sum(({ costNanoUsd }) => costNanoUsd ?? 0)),
    tokens: sum(
      ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }) =>
        inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens,
    ),
  };
}

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  const isPi = host.family === 'pi';

  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  test('its answers, tools and runs are counted once, with their durations', async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    const ledger = await createLedger(sandbox);
    await ledger.start();
    llm.onRequest(() => new Promise((resolve) => setTimeout(resolve, heldMs)));
    expect((await runPrint(sandbox, { prompt: 'SCN:tools', extension })).exitCode).toBe(0);
    await spoolIsRead(ledger);
    const json = async (...argv: string[]) =>
      JSON.parse((await ledger.run(...argv, '--json')).stdout);
    const events = await ledger.store.events();
    const count = (type: string) => events.filter((event) => event.type === type).length;
    const { total: models } = await json('models');
    expect(models).toMatchObject({
      answers: count('pi.turn.completed.v1'),
      timedAnswers: count('pi.turn.completed.v1'),
      failedAnswers: 0,
      durationP50: { is: 'interpolated' },
    });
    expect(models.durationP50.ms).toBeGreaterThan(80);
    expect(models.firstP50.ms).toBeGreaterThan(80);
    expect(models.outputTokensPerSecond).toBeGreaterThan(0);
    const { total: tools } = await json('tools');
    const calls = count('pi.tool.completed.v1');
    expect(tools).toMatchObject({ calls, durationP95: { is: 'interpolated' } });
    expect(tools.timedCalls).toBeGreaterThan(0);
    expect(tools.timedCalls).toBeLessThanOrEqual(calls);
    const byModel = await json('tools', '--by-model');
    expect(byModel.total).toMatchObject({ calls, ...sharedAmong(events) });
    expect((await json('tools', '--costs')).total).toEqual(byModel.total);
    const names = byModel.rows.map(({ model }: { model: string }) => model);
    expect(new Set(names)).toEqual(new Set(['fake-gpt']));
    const { runs, runsTotal } = await json('sessions', 'show', 'last');
    expect([runs, runsTotal]).toMatchObject([
      [{ turns: models.answers, toolCalls: calls, attempts: 1, outcome: 'completed' }],
      1,
    ]);
    expect(runs[0].durationMs).toBeGreaterThan(models.answers * heldMs);
  });

  test('its failed attempts are errors of the model, by status where known', async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
    const ledger = await createLedger(sandbox);
    await ledger.start();
    const prompt = isPi ? 'SCN:retry' : 'SCN:drop';
    expect((await runPrint(sandbox, { prompt, extension })).exitCode).toBe(0);
    await spoolIsRead(ledger);
    const { total } = JSON.parse((await ledger.run('models', '--json')).stdout);
    const turns = (await ledger.store.events()).filter(
      ({ type }) => type === 'pi.turn.completed.v1',
    );
    const failed = turns.length - 1;
    expect(total).toMatchObject({
      answers: turns.length,
      failedAnswers: failed,
      timedAnswers: 1,
      // pi does not tell: none would be wrong.
      retries: isPi ? null : expect.any(Number),
    });
    if (isPi) expect(total.statuses).toMatchObject([{ status: null, failedAnswers: 2 }]);
    else expect(total.retries).toBeGreaterThan(0);
    const { runs } = JSON.parse((await ledger.run('sessions', 'show', 'last', '--json')).stdout);
    expect(runs).toMatchObject([{ turns: turns.length, errors: failed, outcome: 'completed' }]);
  });
});
