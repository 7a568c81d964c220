/** Spans as OpenTelemetry's exporters take them. Pure; its libraries are types here. */

import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { previousSpanAttributes } from '@pi-ledger/contract/telemetry/previous';
import { spans } from '@pi-ledger/contract/telemetry/spans';
import type { SpanDraft, SpanPlace } from './draft.ts';

export interface SpanOrigin {
  readonly resource: Resource;
  readonly scope: ReadableSpan['instrumentationScope'];
  readonly previousNames: boolean;
}

/** The numbers are those of OpenTelemetry's enumerations; every span is sampled. */
const sampled = 1;
const kinds = { internal: 0, client: 2 } as const;
const unset = { code: 0 } as const;
const failed = { code: 2 } as const;

export function readableSpan(
  draft: SpanDraft,
  { resource, scope, previousNames }: SpanOrigin,
): ReadableSpan {
  const { key, name, startMs, endMs, attributes, events, links, parentSpanId } = draft;
  const context = contextOf(draft);
  const lastMs = Math.max(startMs, endMs);
  return {
    name,
    kind: kinds[spans[key].kind],
    spanContext: () => context,
    ...(parentSpanId === null
      ? {}
      : { parentSpanContext: contextOf({ traceId: draft.traceId, spanId: parentSpanId }) }),
    startTime: hrTime(startMs),
    endTime: hrTime(lastMs),
    duration: hrTime(lastMs - startMs),
    status: attributes['error.type'] === undefined ? unset : failed,
    attributes: toAttributes(attributes, previousNames),
    events: events.map((event) => ({
      name: event.name,
      time: hrTime(event.timeMs),
      attributes: event.attributes,
    })),
    links: links.map((place) => ({ context: contextOf(place) })),
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function toAttributes(
  attributes: SpanDraft['attributes'],
  previousNames: boolean,
): ReadableSpan['attributes'] {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      previousNames ? (previousSpanAttributes[name] ?? name) : name,
      typeof value === 'object' ? [...value] : value,
    ]),
  );
}

function contextOf({ traceId, spanId }: SpanPlace): ReturnType<ReadableSpan['spanContext']> {
  return { traceId, spanId, traceFlags: sampled };
}

const nanosPerMs = 1_000_000;

/** Whole milliseconds are exact. */
function hrTime(ms: number): ReadableSpan['startTime'] {
  const whole = Math.floor(ms);
  const seconds = Math.floor(whole / 1_000);
  const nanos = (whole - seconds * 1_000) * nanosPerMs + Math.floor((ms - whole) * nanosPerMs);
  return [seconds, nanos];
}
