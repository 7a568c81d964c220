/**
 * Real runs of omp, read back from Prometheus and from what the OpenTelemetry Collector received:
 * its subagents run in its own process, and it announces its retries.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metrics } from '../../contract/telemetry/metrics.ts';
import { prometheusName } from '../../contract/telemetry/prometheus-names.ts';
import { runPrint } from '../hosts/support/host/run-host.ts';
import { extension } from '../hosts/support/ledger/ledger.ts';
import type { StoredEvent } from '../hosts/support/ledger/ledger-store.ts';
import { spoolIsRead } from '../hosts/support/ledger/spool-read.ts';
import type { ReceivedSpan } from '../services/otelcol/received.ts';
import { eventually } from '../support/eventually.ts';
import { type HostChain, startHostChain } from './support/host-chain.ts';
import { spanOf, spendOf } from './support/spans.ts';
import { moneyIn, moneyOf, moneyReported, nanoOf, readTotals } from './support/totals.ts';

const agents = '{job="pi-ledger/agents"}';
let chain: HostChain;
let answers: readonly StoredEvent[];
let spans: readonly ReceivedSpan[];

beforeAll(async () => {
  chain = await startHostChain('omp18');
  await chain.ledger.start();
  const { sandbox, ledger } = chain;
  await runPrint(sandbox, { prompt: ['SCN:tools', 'SCN:drop'], extension });
  await runPrint(sandbox, { prompt: 'SCN:task:tools', extension });
  await spoolIsRead(ledger);
  answers = await chain.eventsOf('pi.turn.completed.v1');
  await eventually(() => {
    const received = chain.otelcol.received().spans;
    for (const event of answers) spanOf(received, event);
    const ids = new Set(received.map(({ spanId }) => spanId));
    for (const { parentSpanId } of received)
      if (parentSpanId !== '') expect(ids).toContain(parentSpanId);
    spans = received;
  });
});

afterAll(() => chain.close());

test('Prometheus has the money of /v1/totals', async () => {
  const { ledger, prometheus } = chain;
  const totals = moneyOf(await readTotals(ledger));
  expect(totals.metered).toBeGreaterThan(0n);
  await eventually(async () => expect(await moneyIn(prometheus, agents)).toEqual(totals));
});

test('an answer is one span with its tokens and cost, below a run of its own session', () => {
  expect(answers.length).toBeGreaterThan(6);
  for (const event of answers) {
    const span = spanOf(spans, event);
    const { model, reported, outputTokens, costNanoUsd } = spendOf(event);
    expect(span).toMatchObject({ kind: 3, name: `chat ${model}` });
    if (reported) expect(span.attributes['gen_ai.usage.output_tokens']).toBe(outputTokens);
    const cost = span.attributes['pi.cost.usd'];
    expect(cost === undefined ? null : Number(nanoOf(Number(cost).toFixed(12)))).toBe(costNanoUsd);
    const run = spans.find(({ spanId }) => spanId === span.parentSpanId);
    expect(run?.name).toMatch(/^invoke_agent/);
    expect(run?.attributes['gen_ai.conversation.id']).toBe(event.subject);
    expect(run?.attributes['pi.host.name']).toBe('omp');
  }
});

test('the run of a subagent is below the run of its parent, in one trace', async () => {
  const sessions = await chain.eventsOf('pi.session.attributed.v1');
  const children = sessions.filter(({ data }) => data.parentSessionId !== null);
  expect(new Set(children.map(({ subject }) => subject)).size).toBe(1);
  for (const { subject, data } of children) {
    const isOwn = (span: ReceivedSpan) => span.attributes['gen_ai.conversation.id'] === subject;
    const run = spans.find((span) => isOwn(span) && span.name.startsWith('invoke_agent'));
    const parent = spans.find(({ spanId }) => spanId === run?.parentSpanId);
    expect(parent?.attributes['gen_ai.conversation.id']).toBe(data.parentSessionId);
    expect(parent?.traceId).toBe(run?.traceId);
  }
});

test('retries that it announced are counted', async () => {
  const announced = await chain.eventsOf('pi.retry.scheduled.v1');
  expect(announced.length).toBeGreaterThan(0);
  await eventually(async () => {
    const retries = `sum(${prometheusName(metrics.retries)}${agents})`;
    const [sample] = await chain.prometheus.query(retries);
    expect(Number(sample?.value)).toBe(announced.length);
  });
});

test('what all spans cost is what the report says', async () => {
  const cost = spans
    .map(({ attributes }) => attributes['pi.cost.usd'])
    .reduce((sum: bigint, usd) => sum + nanoOf(Number(usd ?? 0).toFixed(12)), 0n);
  expect({ metered: cost }).toEqual(await moneyReported(chain.ledger));
});
