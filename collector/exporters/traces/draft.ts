/**
 * A span before it is one: plain data, so that spans that wait for their duration can be kept in
 * the exporter's state.
 */
import { type SpanAttributeName, type SpanKey, spans } from '@pi-ledger/contract/telemetry/spans';

export type Value = string | number | boolean | readonly string[];

/** What is undefined is left out. */
export type SpanAttributes = { readonly [Name in SpanAttributeName]?: Value | undefined };

export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
}

/** A run's own span. */
export interface RunPlace extends SpanPlace {
  /** When the root of its trace began. */
  readonly beganMs: number;
}

/** Below which span others are. */
export interface ParentPlace extends Omit<RunPlace, 'spanId'> {
  /** It is null when the others are below none: they are roots. */
  readonly spanId: string | null;
}

export interface SpanEvent {
  readonly name: string;
  readonly timeMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface SpanDraft extends SpanPlace {
  readonly key: SpanKey;
  readonly parentSpanId: string | null;
  /** As of `RunPlace`: a period has whole traces. */
  readonly beganMs: number;
  readonly name: string;
  /** ms since 1970, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanPlace[];
}

/** Names come from senders. */
const textCharsMax = 200;

/** `name`: what stands for the names in braces. */
export function spanName(key: SpanKey, ...values: readonly (string | null | undefined)[]): string {
  const given = [...values];
  const name = spans[key].name.replaceAll(/\{[^}]+\}/g, () => given.shift() ?? '');
  return name.trim().slice(0, textCharsMax);
}

/** Without what is undefined or empty, and with long texts cut. */
export function compact(
  attributes: {
    readonly [Name in SpanAttributeName]?: Value | null | undefined;
  },
): SpanAttributes {
  const kept: Record<string, Value> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === '') continue;
    kept[name] = cut(value);
  }
  return kept;
}

function cut(value: Value): Value {
  if (typeof value === 'string') return value.slice(0, textCharsMax);
  return typeof value === 'object' ? value.map((each) => each.slice(0, textCharsMax)) : value;
}
