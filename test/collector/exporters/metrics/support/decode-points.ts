/** Reads the points of an OTLP request by the field numbers of opentelemetry-proto. */
import {
  attributesOf,
  bytes,
  doubleOf,
  type Fields,
  fieldsOf,
  integer,
  messages,
  text,
} from '../../support/decode.ts';

export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'counter' | 'histogram';
  readonly isCumulative: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly startMs: number;
  readonly timeMs: number;
  /** Of a histogram: its sum. */
  readonly value: number;
  /** Empty: no histogram. */
  readonly counts: readonly number[];
  readonly bounds: readonly number[];
}

const kinds = [
  ['gauge', 5],
  ['counter', 7],
  ['histogram', 9],
] as const;

export function decodePoints(request: Buffer): ReceivedPoint[] {
  return messages(fieldsOf(request), 1).flatMap((part) => {
    const [said] = messages(part, 1);
    const resource = said === undefined ? {} : attributesOf(said, 1);
    return messages(part, 2)
      .flatMap((scoped) => messages(scoped, 2))
      .flatMap((metric) => pointsOf(metric, resource));
  });
}

function pointsOf(metric: Fields, resource: ReceivedPoint['resource']): ReceivedPoint[] {
  return kinds.flatMap(([kind, number]) =>
    messages(metric, number).flatMap((data) => {
      const isCumulative =
        integer(data, 2) === 2n && (kind !== 'counter' || integer(data, 3) === 1n);
      return messages(data, 1).map((point) => ({
        ...{ metric: text(metric, 1), unit: text(metric, 3), kind, isCumulative, resource },
        attributes: attributesOf(point, kind === 'histogram' ? 9 : 7),
        startMs: Number(integer(point, 2) / 1_000_000n),
        timeMs: Number(integer(point, 3) / 1_000_000n),
        value: doubleOf(integer(point, kind === 'histogram' ? 5 : 4)),
        counts: packed64(point, 6, kind).map(Number),
        bounds: packed64(point, 7, kind).map(doubleOf),
      }));
    }),
  );
}

/** 64 bits each; the fields of other points have these numbers too. */
function packed64(point: Fields, number: number, kind: ReceivedPoint['kind']): bigint[] {
  if (kind !== 'histogram') return [];
  const packed = bytes(point, number);
  const found: bigint[] = [];
  for (let at = 0; at < packed.length; at += 8) found.push(packed.readBigUInt64LE(at));
  return found;
}
