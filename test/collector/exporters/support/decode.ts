/**
 * Reads OTLP requests in Protobuf by the field numbers of opentelemetry-proto, with code of its
 * own: what a test sees is what arrived, not what the product believes that it wrote.
 */

export interface Item {
  /** Of a span, or of a log record's event, or of a metric. */
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Of spans; empty: it is a root. */
  readonly parentSpanId: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** ms since 1970. */
  readonly timeMs: number;
  readonly severity: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

type Value = bigint | Buffer;
export type Fields = ReadonlyMap<number, readonly Value[]>;

/** Field numbers of the two signals; metrics have only a name here. */
const numbers = {
  traces: { name: 5, ids: [1, 2], parent: 4, links: 13, time: 7, severity: 0, attributes: 9 },
  logs: { name: 12, ids: [9, 10], parent: 0, links: 0, time: 1, severity: 2, attributes: 6 },
  metrics: { name: 1, ids: [0, 0], parent: 0, links: 0, time: 0, severity: 0, attributes: 0 },
} as const;

export function decodeItems(signal: keyof typeof numbers, request: Buffer): Item[] {
  const at = numbers[signal];
  return messages(fieldsOf(request), 1).flatMap((part) => {
    const [resource] = messages(part, 1);
    const said = resource === undefined ? {} : attributesOf(resource, 1);
    return messages(part, 2)
      .flatMap((scoped) => messages(scoped, 2))
      .map((item) => ({
        name: text(item, at.name),
        ...idsOf(item, at.ids),
        parentSpanId: bytes(item, at.parent).toString('hex'),
        links: messages(item, at.links).map((link) => idsOf(link, [1, 2])),
        timeMs: Number(integer(item, at.time) / 1_000_000n),
        severity: Number(integer(item, at.severity)),
        attributes: attributesOf(item, at.attributes),
        resource: said,
      }));
  });
}

function idsOf(message: Fields, [traceId, spanId]: readonly [number, number]) {
  return {
    traceId: bytes(message, traceId).toString('hex'),
    spanId: bytes(message, spanId).toString('hex'),
  };
}

export function attributesOf(message: Fields, number: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(message, number).map((pair) => {
      const [value] = messages(pair, 2);
      return [text(pair, 1), value === undefined ? null : anyValue(value)];
    }),
  );
}

function anyValue(value: Fields): unknown {
  const [number, [first]] = [...value][0] ?? [0, []];
  if (number === 1) return String(first);
  if (number === 2) return first === 1n;
  if (number === 3) return Number(BigInt.asIntN(64, integer(value, 3)));
  if (number === 4) return doubleOf(integer(value, 4));
  return `a value of kind ${number}`;
}

export function doubleOf(bits: bigint): number {
  return Buffer.from(new BigUint64Array([bits]).buffer).readDoubleLE();
}

export function bytes(message: Fields, number: number): Buffer {
  const [value] = message.get(number) ?? [];
  return typeof value === 'object' ? value : Buffer.alloc(0);
}

export function text(message: Fields, number: number): string {
  return bytes(message, number).toString();
}

export function integer(message: Fields, number: number): bigint {
  const [value] = message.get(number) ?? [];
  return typeof value === 'bigint' ? value : 0n;
}

export function messages(message: Fields, number: number): Fields[] {
  return (message.get(number) ?? []).map((value) => {
    if (typeof value === 'bigint') throw new Error(`Field ${number} is no message.`);
    return fieldsOf(value);
  });
}

export function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, Value[]>();
  let at = 0;
  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  function slice(length: number): Buffer {
    at += length;
    return message.subarray(at - length, at);
  }
  while (at < message.length) {
    const tag = Number(varint());
    const kind = tag % 8;
    const value =
      kind === 0
        ? varint()
        : kind === 1
          ? slice(8).readBigUInt64LE()
          : kind === 5
            ? BigInt(slice(4).readUInt32LE())
            : slice(Number(varint()));
    const number = Math.floor(tag / 8);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}
