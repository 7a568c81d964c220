/**
 * Spans of events, as the exporter makes them: from stored events to the bytes of OTLP requests,
 * with its state made for each batch. Beside it OpenTelemetry's serializer alone, on the same
 * spans. The events are the demo's, and those of 2,000 sessions that take turns.
 */
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { LedgerEvent } from '@pi-ledger/contract';
import { factsOfEvents } from '../../collector/answers/sessions/facts.ts';
import type { SpanDraft } from '../../collector/exporters/traces/draft.ts';
import { type Facts, foldTraces } from '../../collector/exporters/traces/fold.ts';
import { boundText } from '../../collector/exporters/traces/memory.ts';
import { readableSpan, type SpanOrigin } from '../../collector/exporters/traces/readable-span.ts';
import { createTraceState } from '../../collector/exporters/traces/state.ts';
import { encodeTraceState } from '../../collector/exporters/traces/state-text.ts';
import type { StoredEvent } from '../../collector/log/stored-event.ts';
import { noRules } from '../../collector/projections/rules.ts';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { demoEvents, inBatches } from './demo-events.ts';
import { liveSessions } from './spans/live-sessions.ts';
import { median } from './statistics.ts';

const eventsDefault = 100_000;
/** As subscribers get them, and as requests are sent. */
const batchEvents = 1_000;
const requestSpans = 512;
const rounds = 7;
const ratioMax = 6;

export const spans: Benchmark = {
  name: 'spans',
  budget: `events to requests: <= ${ratioMax} times the serializing of the spans alone`,
  run: measure,
};

async function measure({ events }: BenchOptions): Promise<readonly Row[]> {
  const demo = [...demoEvents(events ?? eventsDefault)];
  return [
    ...(await rowsOf('the demo', demo)),
    ...(await rowsOf('2,000 live sessions', [...liveSessions(2_000)])),
  ];
}

async function rowsOf(what: string, events: readonly LedgerEvent[]): Promise<readonly Row[]> {
  const { ProtobufTraceSerializer } = await import('@opentelemetry/otlp-transformer');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({ 'service.name': 'agents' });
  const scope = { name: 'pi-ledger', version: '0.0.0' };
  const origin = { resource, scope, previousNames: false };
  const load = await loadOf(events);
  const serialize = (sent: readonly ReadableSpan[]): void => {
    for (const request of inBatches(sent, requestSpans))
      ProtobufTraceSerializer.serializeRequest(request);
  };
  const batches = [...spansOf(load, origin)];
  const made = batches.flatMap(({ spans: some }) => some);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(
      seconds(() => {
        for (const batch of spansOf(load, origin)) serialize(batch.spans);
      }),
    );
    bare.push(seconds(() => serialize(made)));
  }
  const rate = (times: readonly number[]) => made.length / median(times);
  const counts = `${shown(made.length)} spans of ${shown(events.length)} events`;
  const largest = Math.max(...batches.map(({ stateChars }) => stateChars));
  return [
    {
      what: `${what}: events to requests`,
      measured: rate(ours),
      unit: 'spans/s',
      baseline: { what: 'serializer alone', measured: rate(bare) },
      note: `${counts}; state up to ${shown(Math.round(largest / 1_000))} KB`,
    },
    {
      what: `${what}: time beside the serializer`,
      measured: median(ours) / median(bare),
      unit: 'x',
      budget: { max: ratioMax },
    },
  ];
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}

interface Load {
  readonly events: readonly StoredEvent[];
  readonly facts: Facts;
}

async function loadOf(all: readonly LedgerEvent[]): Promise<Load> {
  const known = factsOfEvents(noRules);
  const events = all.map((event, index): StoredEvent => {
    known.add(event);
    return { position: index + 1, receivedAtMs: Date.parse(event.time), event };
  });
  return { events, facts: await known.read(new Set(events.map(({ event }) => event.subject))) };
}

interface Batch {
  readonly spans: readonly ReadableSpan[];
  readonly stateChars: number;
}

function* spansOf({ events, facts }: Load, origin: SpanOrigin): Generator<Batch> {
  const state = createTraceState(0);
  for (const batch of inBatches(events, batchEvents)) {
    const drafts: SpanDraft[] = [];
    const emit = (draft: SpanDraft) => drafts.push(draft);
    foldTraces(state, batch, facts, emit);
    boundText(state, emit);
    const stateChars = encodeTraceState(state).length;
    yield { spans: drafts.map((draft) => readableSpan(draft, origin)), stateChars };
  }
}

function seconds(work: () => void): number {
  const startedMs = performance.now();
  work();
  return (performance.now() - startedMs) / 1_000;
}
