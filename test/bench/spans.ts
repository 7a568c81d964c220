/**
 * Spans of the demo's events, as the exporter makes them: from stored events to the bytes of OTLP
 * requests, with its state written for each batch. Beside it OpenTelemetry's serializer
 * alone, on the same spans.
 */
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { SpanDraft } from '../../collector/exporters/traces/draft.ts';
import { type Facts, foldTraces } from '../../collector/exporters/traces/fold.ts';
import { readableSpan, type SpanOrigin } from '../../collector/exporters/traces/readable-span.ts';
import { createTraceState, encodeTraceState } from '../../collector/exporters/traces/state.ts';
import type { StoredEvent } from '../../collector/log/stored-event.ts';
import { noRules } from '../../collector/projections/rules.ts';
import { factsOfEvents } from '../../collector/queries/session-facts.ts';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { demoEvents, inBatches } from './demo-events.ts';
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
  const { ProtobufTraceSerializer } = await import('@opentelemetry/otlp-transformer');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({ 'service.name': 'agents' });
  const scope = { name: 'pi-ledger', version: '0.0.0' };
  const origin = { resource, scope, previousNames: false };
  const load = await loadOf(events ?? eventsDefault);
  const serialize = (sent: readonly ReadableSpan[]): void => {
    for (const request of inBatches(sent, requestSpans))
      ProtobufTraceSerializer.serializeRequest(request);
  };
  const made = [...spansOf(load, origin)].flat();
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(
      seconds(() => {
        for (const batch of spansOf(load, origin)) serialize(batch);
      }),
    );
    bare.push(seconds(() => serialize(made)));
  }
  const rate = (times: readonly number[]) => made.length / median(times);
  const ratio = median(ours) / median(bare);
  return [
    {
      what: 'events to requests',
      measured: rate(ours),
      unit: 'spans/s',
      baseline: { what: 'serializer alone', measured: rate(bare) },
      note: `${made.length.toLocaleString('en-US')} spans of ${load.events.length} events`,
    },
    { what: 'time beside the serializer', measured: ratio, unit: 'x', budget: { max: ratioMax } },
  ];
}

interface Load {
  readonly events: readonly StoredEvent[];
  readonly facts: Facts;
}

async function loadOf(count: number): Promise<Load> {
  const known = factsOfEvents(noRules);
  const events = [...demoEvents(count)].map((event, index): StoredEvent => {
    known.add(event);
    return { position: index + 1, receivedAtMs: Date.parse(event.time), event };
  });
  return { events, facts: await known.read(new Set(events.map(({ event }) => event.subject))) };
}

function* spansOf({ events, facts }: Load, origin: SpanOrigin): Generator<ReadableSpan[]> {
  const state = createTraceState(0);
  for (const batch of inBatches(events, batchEvents)) {
    const drafts: SpanDraft[] = [];
    foldTraces(state, batch, facts, (draft) => drafts.push(draft));
    encodeTraceState(state);
    yield drafts.map((draft) => readableSpan(draft, origin));
  }
}

function seconds(work: () => void): number {
  const startedMs = performance.now();
  work();
  return (performance.now() - startedMs) / 1_000;
}
