/** Answers, tools and runs as counters and histograms: real events, through the real store. */
import type { HistogramPoint } from '@pi-ledger/contract/telemetry/counters';
import type { AttributeName } from '@pi-ledger/contract/telemetry/metrics';
import { expect, it } from 'vitest';
import { attributed, event, spendOf } from '../../projections/support/given.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { amountsOf, histogramsOf, readingIn } from './readings.ts';

const homes = ledgerHomes();
const at = '2026-11-22T10:00:00.000Z';
const scout = { kind: 'subagent', name: 'scout' } as const;

async function reading() {
  const turn = (data: object) =>
    event('pi.turn.completed.v1', { at }, { spend: spendOf({}), ...data });
  const ledger = await homes.holding([
    attributed(at, { agent: scout }),
    turn({ durationMs: 1_250.5, timeToFirstTokenMs: 10, stopReason: 'stop' }),
    turn({ durationMs: 90_000, timeToFirstTokenMs: null, stopReason: 'stop' }),
    turn({ stopReason: 'error', errorStatus: 529, timeToFirstTokenMs: null }),
    turn({ stopReason: 'error', errorStatus: null, timeToFirstTokenMs: null }),
    event('pi.retry.scheduled.v1', { at }, { provider: 'anthropic', model: 'sonnet' }),
    event('pi.tool.completed.v1', { at }, { toolName: 'read', isError: false, durationMs: 20 }),
    event('pi.tool.completed.v1', { at }, { toolName: 'read', isError: true, durationMs: null }),
    event('pi.run.completed.v1', { at }, { durationMs: 100, outcome: 'aborted' }),
  ]);
  return readingIn(ledger);
}

const filled = ({ bounds, counts, sum }: HistogramPoint) => ({
  counts: Object.fromEntries(
    counts.flatMap((count, index) => (count === 0n ? [] : [[String(bounds[index]), count]])),
  ),
  sum,
});

it('count errors by status, retries, and calls of tools by how they ended', async () => {
  const found = await reading();
  expect(amountsOf(found, 'pi.inference.errors', 'error.type', 'pi.project')).toEqual({
    '529,shop': 1n,
    'unknown,shop': 1n,
  });
  expect(amountsOf(found, 'pi.inference.retries', 'gen_ai.provider.name')).toEqual({
    anthropic: 1n,
  });
  expect(amountsOf(found, 'pi.tool.calls', 'gen_ai.tool.name', 'pi.outcome')).toEqual({
    'read,completed': 1n,
    'read,failed': 1n,
  });
});

it.each<[string, readonly AttributeName[], object]>([
  [
    'gen_ai.client.inference.duration',
    ['gen_ai.operation.name', 'gen_ai.request.model', 'pi.host.name'],
    { 'chat,sonnet,pi': { counts: { '1.28': 1n, undefined: 1n }, sum: 91_250_500n } },
  ],
  [
    'gen_ai.client.inference.time_to_first_chunk',
    ['gen_ai.request.model'],
    { sonnet: { counts: { '0.01': 1n }, sum: 10_000n } },
  ],
  [
    'gen_ai.execute_tool.duration',
    ['gen_ai.tool.name'],
    { read: { counts: { '0.02': 1n }, sum: 20_000n } },
  ],
  [
    'gen_ai.invoke_agent.duration',
    ['gen_ai.agent.name', 'pi.outcome'],
    { 'scout,aborted': { counts: { '0.1': 1n }, sum: 100_000n } },
  ],
])('give %s in seconds, summed in microseconds', async (name, by, expected) => {
  const found = Object.entries(histogramsOf(await reading(), name, ...by));
  expect(Object.fromEntries(found.map(([key, each]) => [key, filled(each)]))).toEqual(expected);
});
