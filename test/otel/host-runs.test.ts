/**
 * Real runs of pi, read back from Prometheus and from what the OpenTelemetry Collector received:
 * the money of the report, and traces with the host's own times, parents and ids.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spans as definitions, type SpanDefinition } from '../../contract/telemetry/spans.ts';
import { runPrint } from '../hosts/support/host/run-host.ts';
import type { StoredEvent } from '../hosts/support/ledger/ledger-store.ts';
import { spoolIsRead } from '../hosts/support/ledger/spool-read.ts';
import type { ReceivedSpan } from '../services/otelcol/received.ts';
import { eventually } from '../support/eventually.ts';
import { type HostChain, startHostChain } from './support/host-chain.ts';
import { idOfEvent, spanOf, spendOf } from './support/spans.ts';
import { moneyIn, moneyOf, moneyReported, nanoOf, readTotals } from './support/totals.ts';

const agents = '{job="pi-ledger/agents"}';
let chain: HostChain;
let spans: readonly ReceivedSpan[];
let answers: readonly StoredEvent[];
let tools: readonly StoredEvent[];

/** Runs without subagents first: what these claim may count before they tell it themselves. */
beforeAll(async () => {
  chain = await startHostChain();
  await chain.ledger.start();
  const { sandbox } = chain;
  await runPrint(sandbox, { prompt: ['SCN:tools', 'SCN:toolerr', 'SCN:retry', 'SCN:fatal'] });
  await runPrint(sandbox, { prompt: ['SCN:big', 'SCN:tools'], model: 'fake-openai/fake-small' });
  await spoolIsRead(chain.ledger);
  answers = await chain.eventsOf('pi.turn.completed.v1');
  tools = await chain.eventsOf('pi.tool.completed.v1');
  const runs = await chain.eventsOf('pi.run.completed.v1');
  await eventually(() => {
    const received = chain.otelcol.received().spans;
    for (const event of [...answers, ...tools]) spanOf(received, event);
    const roots = received.filter(({ parentSpanId }) => parentSpanId === '');
    expect(roots.length).toBeGreaterThanOrEqual(runs.length);
    for (const { parentSpanId } of received)
      if (parentSpanId !== '') expect(received.map(({ spanId }) => spanId)).toContain(parentSpanId);
    spans = received;
  });
});

afterAll(() => chain.close());

test('Prometheus has the money of /v1/totals and of the report', async () => {
  const { ledger, prometheus } = chain;
  const reported = await moneyReported(ledger);
  expect(reported.metered).toBeGreaterThan(0n);
  expect(moneyOf(await readTotals(ledger))).toEqual(reported);
  await eventually(async () => expect(await moneyIn(prometheus, agents)).toEqual(reported));
});

test('an answer is one span with its tokens and cost, at its own time, below its run', () => {
  expect(answers.length).toBeGreaterThan(15);
  for (const event of answers) {
    const span = spanOf(spans, event);
    const spend = spendOf(event);
    const { costNanoUsd, inputTokens, cacheReadTokens, cacheWriteTokens } = spend;
    expect(span).toMatchObject({ kind: 3, name: `chat ${spend.model}` });
    expect(span.attributes['gen_ai.conversation.id']).toBe(event.subject);
    if (spend.reported)
      expect(span.attributes).toMatchObject({
        'gen_ai.usage.input_tokens': inputTokens + cacheReadTokens + cacheWriteTokens,
        'gen_ai.usage.output_tokens': spend.outputTokens,
        'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
      });
    const cost = span.attributes['pi.cost.usd'];
    expect(cost === undefined ? null : Number(nanoOf(Number(cost).toFixed(12)))).toBe(costNanoUsd);
    const requestedAtMs = event.data.requestedAtMs;
    if (typeof requestedAtMs === 'number') expect(msOf(span.startNs)).toBe(requestedAtMs);
    expect(Math.abs(msOf(span.endNs) - Date.parse(event.time))).toBeLessThan(1_000);
    const run = parentOf(span);
    expect(run).toMatchObject({ kind: 1, parentSpanId: '', traceId: span.traceId });
    expect(run.name).toMatch(/^invoke_agent/);
    expect(run.startNs).toBeLessThanOrEqual(span.startNs);
    expect(run.attributes['gen_ai.conversation.id']).toBe(event.subject);
  }
});

test('a tool is below the answer that called it, and fails as it failed', () => {
  expect(tools.length).toBeGreaterThan(10);
  for (const event of tools) {
    const span = spanOf(spans, event);
    expect(span).toMatchObject({ kind: 1, name: `execute_tool ${event.data.toolName}` });
    const calling = answers.find(
      ({ subject, data }) => subject === event.subject && data.entryId === event.data.turnEntryId,
    );
    expect(calling).toBeDefined();
    expect(span.parentSpanId).toBe(calling === undefined ? '' : idOfEvent(calling.id));
    expect('error.type' in span.attributes).toBe(event.data.isError);
    expect(span.attributes['gen_ai.tool.call.id']).toBe(event.data.toolCallId);
  }
});

test('spans have sound ids, forward times, what their kind requires, and no content', () => {
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  for (const span of spans) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(span.endNs).toBeGreaterThanOrEqual(span.startNs);
    expect(Object.keys(span.attributes)).toEqual(
      expect.arrayContaining([...definitionOf(span).required]),
    );
    expect(span.resource).toMatchObject({
      'service.namespace': 'pi-ledger',
      'service.name': 'agents',
    });
  }
  const text = readFileSync(join(chain.directory, 'otelcol', 'received.ndjson'), 'utf8');
  for (const content of ['Looking around', 'notes.txt', 'echo hello', 'SCN:', chain.sandbox.root])
    expect(text).not.toContain(content);
});

test('what all spans cost is what the report says', async () => {
  const cost = spans
    .map(({ attributes }) => attributes['pi.cost.usd'])
    .reduce((sum: bigint, usd) => sum + nanoOf(Number(usd ?? 0).toFixed(12)), 0n);
  expect({ metered: cost }).toEqual(await moneyReported(chain.ledger));
});

test('compactions and failed attempts are log records in the trace of their run', async () => {
  const compactions = await chain.eventsOf('pi.compaction.completed.v1');
  expect(compactions.length).toBeGreaterThan(0);
  const failed = answers.filter(({ data }) => data.stopReason === 'error');
  expect(failed.length).toBeGreaterThan(2);
  await eventually(() => {
    const { logs } = chain.otelcol.received();
    const named = (name: string) => logs.filter(({ eventName }) => eventName === name);
    expect(named('pi.compaction.completed')).toHaveLength(compactions.length);
    expect(
      named('pi.attempt.failed')
        .map(({ spanId }) => spanId)
        .sort(),
    ).toEqual(failed.map(({ id }) => idOfEvent(id)).sort());
    for (const { traceId } of named('pi.attempt.failed'))
      expect(spans.map((span) => span.traceId)).toContain(traceId);
    for (const { body } of logs) expect(body).toEqual({});
  });
});

test('exported once more on demand, the same history is the same spans', async () => {
  const { ledger, otelcol } = chain;
  const first = otelcol.received().spans;
  const { exitCode, stderr } = await ledger.run('export-otel', '--since', '1d');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const lines = (list: readonly ReceivedSpan[]) => list.map(lineOf).sort();
  await eventually(() =>
    expect(lines(otelcol.received().spans.slice(first.length))).toEqual(lines(first)),
  );
});

test("a subagent's run in another process is below the run that started it", async () => {
  const known = new Set(spans.map(({ traceId }) => traceId));
  await runPrint(chain.sandbox, {
    prompt: 'SCN:subagent:tools,simple',
    args: ['--tools', 'read,bash,edit,write,grep,find,ls,subagent'],
  });
  await spoolIsRead(chain.ledger);
  const sessions = await chain.eventsOf('pi.session.attributed.v1');
  const children = sessions.filter(({ data }) => data.parentSessionId !== null);
  expect(new Set(children.map(({ subject }) => subject)).size).toBe(2);
  await eventually(() => {
    const received = chain.otelcol.received().spans;
    for (const { subject, data } of children) {
      const own = received.filter((span) => span.attributes['gen_ai.conversation.id'] === subject);
      const run = own.find(({ name }) => name.startsWith('invoke_agent'));
      expect(run?.traceId).toBeDefined();
      const parent = received.find(({ spanId }) => spanId === run?.parentSpanId);
      expect(parent?.attributes['gen_ai.conversation.id']).toBe(data.parentSessionId);
      expect(parent?.traceId).toBe(run?.traceId);
      expect(known).not.toContain(run?.traceId);
    }
  });
});

function parentOf({ parentSpanId }: ReceivedSpan): ReceivedSpan {
  const parent = spans.find(({ spanId }) => spanId === parentSpanId);
  if (parent === undefined) throw new Error(`no span ${parentSpanId}`);
  return parent;
}

function definitionOf({ name, kind }: ReceivedSpan): SpanDefinition {
  if (name.startsWith('invoke_agent')) return definitions.run;
  if (name.startsWith('execute_tool')) return definitions.tool;
  expect(kind).toBe(3);
  return name.startsWith('chat') ? definitions.chat : definitions.side;
}

/** Whatever is told of a span, but for whom. */
function lineOf({ resource: _, startNs, endNs, ...span }: ReceivedSpan): string {
  return JSON.stringify({ ...span, startNs: String(startNs), endNs: String(endNs) });
}

function msOf(ns: bigint): number {
  return Number(ns / 1_000_000n);
}
