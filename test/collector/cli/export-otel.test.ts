/** `export-otel`: history by OTLP, from the own store and from a running collector. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { openEndpoint, partialSuccess } from '../exporters/support/endpoint.ts';
import { ask, startMs, talk } from '../exporters/traces/support/talk.ts';
import { recordedEvents } from '../exporters/traces/support/traced.ts';
import { commandLines } from '../support/command-lines.ts';
import { memberEvents } from '../support/family.ts';

const commandLine = commandLines();

/** A store with one session: a run at 9:00 and one on the next day that failed. */
async function filled() {
  const story = talk('session-1', '/importers/pi');
  ask(story, 'p1', 2);
  ask(story, 'p2', 86_400, { stopReason: 'error', errorStatus: 529 });
  return holding([...memberEvents({ id: 'session-1' }), ...story.events]);
}

async function holding(events: readonly LedgerEvent[]) {
  const line = commandLine();
  const file = join(line.env.HOME ?? '', 'events.ndjson');
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  expect(await line.run('import-events', file)).toMatchObject({ code: 0 });
  return { ...line, day: new Date(startMs).toISOString().slice(0, 10) };
}

describe('pi-ledger export-otel', () => {
  it('says which variable is missing', async () => {
    const { run } = commandLine();
    const { code, complained } = await run('export-otel', '--since', '7d');
    expect(code).toBe(2);
    expect(complained).toContain('set OTEL_EXPORTER_OTLP_ENDPOINT');
  });

  it('says what is wrong with a variable, and with the period', async () => {
    const { run, env } = commandLine();
    Object.assign(env, { OTEL_EXPORTER_OTLP_ENDPOINT: 'no address' });
    const wrong = await run('export-otel', '--since', '7d');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.complained).toContain('OTEL_EXPORTER_OTLP_ENDPOINT is not an address');
    const reversed = await run('export-otel', '--since', '2026-11-03', '--until', '2026-11-02');
    expect(reversed).toMatchObject({ code: 2 });
    expect(reversed.complained).toContain('--until');
  });

  it('sends the period, and the same ids again', async () => {
    const { run, env, day } = await filled();
    const endpoint = await openEndpoint();
    Object.assign(env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url });
    const all = await run('export-otel', '--since', day, '--json');
    expect(all).toMatchObject({ code: 0, complained: '' });
    expect(JSON.parse(all.printed)).toEqual({ spans: 4, logRecords: 1, rejected: 0, refused: 0 });
    const ids = endpoint.taken().map(({ spanId }) => spanId);
    expect(await run('export-otel', '--since', day, '--until', day)).toMatchObject({
      code: 0,
      printed: 'Sent 2 spans and 0 log records.',
    });
    const again = endpoint.taken().slice(ids.length);
    expect(again.map(({ name }) => name)).toEqual(['chat claude-sonnet-5', 'invoke_agent']);
    for (const { spanId } of again) expect(ids).toContain(spanId);
  });

  it('sends whole traces, each with the period in which it began', async () => {
    const parent = talk('parent', '/importers/pi');
    ask(parent, 'p1', 2);
    parent.add('pi.turn.completed.v1', 90_000, { promptEntryId: 'p1', entryId: 'late' });
    const child = talk('child', '/importers/pi');
    child.add('pi.session.attributed.v1', 86_400, {
      parentSessionId: 'parent',
      agent: { kind: 'subagent', name: 'Scout' },
    });
    ask(child, 'c1', 86_402);
    const { run, env, day } = await holding([...parent.events, ...child.events]);
    const endpoint = await openEndpoint();
    Object.assign(env, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint.url}/v1/traces` });
    const next = new Date(startMs + 86_400_000).toISOString().slice(0, 10);
    expect(await run('export-otel', '--since', next)).toMatchObject({ printed: 'Sent 0 spans.' });
    expect(await run('export-otel', '--since', day, '--until', day)).toMatchObject({
      printed: 'Sent 5 spans.',
    });
    const roots = endpoint.taken().filter(({ parentSpanId }) => parentSpanId === '');
    expect(roots.map(({ name }) => name)).toEqual(['invoke_agent']);
  });

  it('links subagents that were imported before their parents to the runs of these', async () => {
    const events = await recordedEvents('omp18');
    const { run, env } = await holding(events);
    const endpoint = await openEndpoint();
    Object.assign(env, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint.url}/v1/traces` });
    expect(await run('export-otel', '--since', '2020-01-01')).toMatchObject({ code: 0 });
    const spans = endpoint.taken();
    const runs = new Set(spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
    const agents = new Map(
      events.flatMap(({ type, subject, data }) =>
        type === 'pi.session.attributed.v1' ? [[subject, data.agent.kind] as const] : [],
      ),
    );
    const subagents = spans.filter(
      ({ name, attributes }) =>
        name.startsWith('invoke_agent') &&
        agents.get(String(attributes['gen_ai.conversation.id'])) === 'subagent',
    );
    expect(subagents).toHaveLength(3);
    for (const { parentSpanId, links } of subagents) {
      expect(parentSpanId).toBe('');
      expect(links.filter((link) => runs.has(`${link.traceId} ${link.spanId}`))).toHaveLength(1);
    }
  });

  it('asks a running collector', async () => {
    const { run, env, day, start } = await filled();
    await start();
    const endpoint = await openEndpoint();
    Object.assign(env, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint.url}/v1/traces` });
    expect(await run('export-otel', '--since', day)).toMatchObject({
      code: 0,
      printed: 'Sent 4 spans.',
    });
    expect(endpoint.taken()).toHaveLength(4);
  });

  it('leaves out what the rules ignore', async () => {
    const { run, env, day } = await filled();
    const endpoint = await openEndpoint();
    Object.assign(env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url });
    const rules = { projects: [{ match: 'shop', ignore: true }] };
    writeFileSync(join(env.PI_LEDGER_HOME ?? '', 'config.json'), JSON.stringify(rules));
    expect(await run('export-otel', '--since', day)).toMatchObject({
      code: 0,
      printed: 'Sent 0 spans and 0 log records.',
    });
    expect(endpoint.requests).toEqual([]);
  });

  it('fails when the endpoint does not take it, and says what it said', async () => {
    const { run, env, day } = await filled();
    const endpoint = await openEndpoint();
    Object.assign(env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url, OTEL_LOGS_EXPORTER: 'none' });
    endpoint.behave(() =>
      endpoint.requests.length === 1 ? partialSuccess(3, 'too old') : { status: 200 },
    );
    const { code, complained } = await run('export-otel', '--since', day);
    expect(code).toBe(1);
    expect(complained).toContain('too old');
    expect(complained).toContain('did not take 3 of them');
  });
});
