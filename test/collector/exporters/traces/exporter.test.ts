import { resourceFromAttributes } from '@opentelemetry/resources';
import { describe, expect, it } from 'vitest';
import { readTelemetry } from '../../../../collector/exporters/otlp/settings.ts';
import { createTracesExporter } from '../../../../collector/exporters/traces/exporter.ts';
import type { Facts } from '../../../../collector/exporters/traces/fold.ts';
import { stateBytesMax } from '../../../../collector/log/checkpoints.ts';
import { demoEvents } from '../../../../lab/bench/demo-events.ts';
import { memberEvents } from '../../support/family.ts';
import type { Item } from '../support/decode.ts';
import { type Endpoint, openEndpoint } from '../support/endpoint.ts';
import { exportingLedgers } from '../support/exporting.ts';
import { ask, startMs, talk } from './support/talk.ts';
import { factsOf, spansOf, stored } from './support/traced.ts';

const open = exportingLedgers();
const tracesOnly = { OTEL_LOGS_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };
const demo = [...demoEvents(1_500)];

/** Runs that are open stay in the exporter's state. */
function expectedIds(): ReadonlySet<string> {
  const log = stored(demo, () => 0);
  const complete = spansOf(log, factsOf(demo)).filter(
    ({ attributes }) => attributes['pi.run.closed_by'] !== 'end_of_export',
  );
  return new Set(complete.map(idOf));
}

function idOf({ traceId, spanId }: Pick<Item, 'traceId' | 'spanId'>): string {
  return `${traceId} ${spanId}`;
}

function idsIn(endpoint: Endpoint): ReadonlySet<string> {
  return new Set(endpoint.taken().map(idOf));
}

describe('the exporter of traces', () => {
  it('sends every span, restarted between batches and refused at times', async () => {
    const endpoint = await openEndpoint();
    let requests = 0;
    endpoint.behave(() => {
      requests += 1;
      return { status: requests % 3 === 0 ? 503 : 200 };
    });
    let home: string | undefined;
    for (let from = 0; from < demo.length; from += 300) {
      const exporting = await open(endpoint.url, {
        more: tracesOnly,
        ...(home === undefined ? {} : { home }),
      });
      home = exporting.home;
      await exporting.accept(demo.slice(from, from + 300));
      await exporting.reachesHead();
      await exporting.stop();
    }
    expect(requests).toBeGreaterThan(5);
    expect(idsIn(endpoint)).toEqual(expectedIds());
  });

  it('sends what was recorded while the endpoint was down', async () => {
    const endpoint = await openEndpoint();
    const exporting = await open(endpoint.url, { more: tracesOnly });
    endpoint.behave(() => ({ status: 503 }));
    await exporting.accept(demo);
    await expect.poll(() => endpoint.requests.length).toBeGreaterThan(1);
    endpoint.behave(() => ({ status: 200 }));
    await exporting.reachesHead();
    expect(idsIn(endpoint)).toEqual(expectedIds());
  });

  it('says who sends them', async () => {
    const endpoint = await openEndpoint();
    const exporting = await open(endpoint.url, { more: tracesOnly });
    await exporting.accept(demo.slice(0, 60));
    await exporting.reachesHead();
    const [item] = endpoint.taken();
    expect(item?.resource).toMatchObject({
      'service.namespace': 'pi-ledger',
      'service.name': 'agents',
    });
  });

  it('sends nothing of a project that the rules ignore', async () => {
    const endpoint = await openEndpoint();
    const settings = { projects: [{ match: 'shop', ignore: true }] };
    const exporting = await open(endpoint.url, { more: tracesOnly, settings });
    const story = talk('ignored', '/importers/pi');
    ask(story, 'p1', 2);
    const other = talk('exported', '/importers/pi');
    ask(other, 'p1', 2);
    const project = { name: 'blog', remote: null, branch: null, worktree: null };
    other.add('pi.session.attributed.v1', 0, { project, cwd: '/home/ada/blog' });
    await exporting.accept([
      ...memberEvents({ id: 'ignored' }),
      other.events[2] ?? {},
      ...story.events,
      ...other.events.slice(0, 2),
    ]);
    await exporting.reachesHead();
    const sessions = endpoint.taken().map(({ attributes }) => attributes['gen_ai.conversation.id']);
    expect(new Set(sessions)).toEqual(new Set(['exported']));
  });

  it('ends a run whose session is silent when nothing else happens, too', async () => {
    const endpoint = await openEndpoint();
    let nowMs = startMs;
    const exporter = await exporterTo(endpoint, () => nowMs);
    const story = talk('killed');
    ask(story, 'p1', 2);
    const { signal } = new AbortController();
    const state = await exporter.handle({ events: stored(story.events) }, signal, null);
    nowMs += 30 * 60_000;
    await exporter.handle({ events: [] }, signal, state ?? null);
    expect(endpoint.taken()).toEqual([]);
    nowMs += 32 * 60_000;
    const after = await exporter.handle({ events: [] }, signal, state ?? null);
    expect(endpoint.taken().map(({ name }) => name)).toEqual([
      'chat claude-sonnet-5',
      'invoke_agent',
    ]);
    expect(await exporter.handle({ events: [] }, signal, after ?? null)).toBeUndefined();
  });

  it('writes nothing down after events that make no spans', async () => {
    const exporter = await exporterTo(await openEndpoint());
    const story = talk();
    ask(story, 'p1', 2);
    story.add('pi.session.attributed.v1', 3);
    story.add('pi.context.sampled.v1', 4);
    const log = stored(story.events);
    const { signal } = new AbortController();
    const state = await exporter.handle({ events: log.slice(0, 2) }, signal, null);
    expect(state).toContain('session-1');
    expect(await exporter.handle({ events: log.slice(2) }, signal, state ?? null)).toBeUndefined();
  });

  it.each([
    ['with what it recalls, as who reads all of it', true],
    ['without, it could not', false],
  ])('that begins amid the log puts spans where they belong: %s', async (_, recalls) => {
    const [parent, child] = [talk('parent'), talk('child')];
    ask(parent, 'p1', 2);
    child.add('pi.session.attributed.v1', 3, {
      parentSessionId: 'parent',
      agent: { kind: 'subagent', name: 'Scout' },
    });
    ask(child, 'c1', 5);
    child.add('pi.run.completed.v1', 6, { promptEntryId: 'c1' });
    ask(child, 'c2', 8);
    ask(parent, 'p2', 10);
    const events = [...parent.events.slice(0, 2), ...child.events, ...parent.events.slice(2)];
    const log = stored(events);
    const facts = factsOf(events);
    const ids = new Set(spansOf(log, facts).map(idOf));
    const { signal } = new AbortController();
    const elsewhere: string[] = [];
    for (let head = 1; head < log.length; head += 1) {
      const endpoint = await openEndpoint();
      const exporter = await exporterTo(endpoint, () => log[head]?.receivedAtMs ?? 0, facts);
      let state: string | null = null;
      if (recalls)
        for (const events of [log.slice(0, 1), log.slice(1, head), []])
          state = (await exporter.recall?.({ events }, state)) ?? null;
      expect(endpoint.requests).toEqual([]);
      await exporter.handle({ events: log.slice(head) }, signal, state);
      elsewhere.push(...[...idsIn(endpoint)].filter((id) => !ids.has(id)));
    }
    expect(elsewhere.length > 0).toBe(!recalls);
  });

  it('does not send what ended before it began', async () => {
    const endpoint = await openEndpoint();
    const before = await open('', { more: tracesOnly });
    const [old, recent] = [talk('old'), talk('recent')];
    ask(old, 'p1', 2);
    ask(old, 'p2', 4);
    ask(recent, 'p1', 6);
    await before.accept([...old.events, ...recent.events]);
    await before.ledger.subscription.catchUp();
    await before.stop();
    const exporting = await open(endpoint.url, { home: before.home, more: tracesOnly });
    const after = recent.add('pi.run.completed.v1', 9, { promptEntryId: 'p1' });
    await exporting.accept([after]);
    await exporting.reachesHead();
    const sent = endpoint.taken();
    expect(sent.map(({ name }) => name)).toEqual(['chat claude-sonnet-5', 'invoke_agent']);
    const sessions = sent.map(({ attributes }) => attributes['gen_ai.conversation.id']);
    expect(new Set(sessions)).toEqual(new Set(['recent']));
  });

  it('keeps less than a checkpoint holds, whatever names senders make up', async () => {
    const endpoint = await openEndpoint();
    const exporter = await exporterTo(endpoint);
    const long = '\u{1f4a5}'.repeat(250);
    const stories = Array.from({ length: 2_000 }, (_, index) => {
      const story = talk(`${index}${long}`.slice(0, 200));
      ask(story, 'p1', 2);
      for (let call = 0; call < 4; call++)
        story.add('pi.tool.completed.v1', 3, {
          toolName: long,
          toolCallId: `${call}${long}`.slice(0, 500),
          promptEntryId: 'p1',
          durationMs: null,
        });
      return story.events;
    });
    const { signal } = new AbortController();
    const state = await exporter.handle({ events: stored(stories.flat()) }, signal, null);
    expect(Buffer.byteLength(state ?? '')).toBeGreaterThan(500_000);
    expect(Buffer.byteLength(state ?? '')).toBeLessThan(stateBytesMax);
    const evicted = endpoint
      .taken()
      .filter(({ attributes }) => attributes['pi.run.closed_by'] === 'evicted');
    expect(evicted.length).toBeGreaterThan(0);
  });
});

async function exporterTo({ url }: Endpoint, now?: () => number, facts: Facts = new Map()) {
  const { signals } = readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  if (signals.traces === null) throw new Error('Traces are set up.');
  return createTracesExporter(
    {
      settings: signals.traces,
      resource: resourceFromAttributes({}),
      version: '0.0.0',
      previousNames: false,
      readFacts: async () => facts,
      say: () => undefined,
    },
    now,
  );
}
