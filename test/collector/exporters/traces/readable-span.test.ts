import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { describe, expect, it } from 'vitest';
import { readableSpan } from '../../../../collector/exporters/traces/readable-span.ts';
import { decodeItems } from '../support/decode.ts';
import { ask, startMs, talk } from './support/talk.ts';
import { recordedEvents, spansOfAll } from './support/traced.ts';

const origin = {
  resource: resourceFromAttributes({ 'service.name': 'agents' }),
  scope: { name: 'pi-ledger', version: '1.2.3' },
  previousNames: false,
};

describe('a span as OpenTelemetry takes it', () => {
  it('arrives with its ids, its time and every attribute', async () => {
    const drafts = spansOfAll(await recordedEvents('omp18'));
    const sent = drafts.map((draft) => readableSpan(draft, origin));
    const request = ProtobufTraceSerializer.serializeRequest(sent) ?? new Uint8Array();
    const items = decodeItems('traces', Buffer.from(request));
    const plain = ({ attributes }: { attributes: object }) =>
      Object.entries(attributes).filter(([, value]) => typeof value !== 'object');
    expect(items.map(({ name, traceId, spanId }) => ({ name, traceId, spanId }))).toEqual(
      drafts.map(({ name, traceId, spanId }) => ({ name, traceId, spanId })),
    );
    for (const [index, item] of items.entries()) {
      const draft = drafts[index];
      expect(item.timeMs).toBe(Math.floor(draft?.startMs ?? 0));
      for (const [name, value] of plain(draft ?? { attributes: {} }))
        expect(item.attributes[name]).toBe(value);
    }
  });

  it('has kind, status, times and parent', () => {
    const story = talk('session-1', '/importers/omp');
    ask(story, 'p1', 2, { durationMs: 0.25, stopReason: 'error', errorStatus: 500 });
    const [chat, run] = spansOfAll(story.events).map((draft) => readableSpan(draft, origin));
    const seconds = startMs / 1_000 + 1;
    expect(chat).toMatchObject({
      kind: 2,
      status: { code: 2 },
      startTime: [seconds, 0],
      endTime: [seconds, 250_000],
      duration: [0, 250_000],
      parentSpanContext: run?.spanContext(),
      attributes: { 'gen_ai.response.finish_reasons': ['error'] },
    });
    expect(run).toMatchObject({ kind: 0, status: { code: 0 } });
    expect(run?.parentSpanContext).toBeUndefined();
  });

  it('has previous names instead of the newest where they are asked for, never both', () => {
    const story = talk('session-1', '/importers/omp');
    ask(story, 'p1', 2);
    const [chat] = spansOfAll(story.events).map((draft) =>
      readableSpan(draft, { ...origin, previousNames: true }),
    );
    expect(chat?.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 1410,
      'gen_ai.usage.cache_creation.input_tokens': 300,
    });
    expect(chat?.attributes).not.toHaveProperty(['gen_ai.usage.cache_write.input_tokens']);
  });
});
