/**
 * Reads `google.rpc.Status` (https://cloud.google.com/apis/design/errors), in which endpoints say
 * why they took nothing, and when to try again. Nothing else needs to be read by hand.
 */

export interface RpcStatus {
  readonly message: string;
  /** `google.rpc.RetryInfo` says it; it is null without one. */
  readonly retryAfterMs: number | null;
}

export function readStatus(bytes: Uint8Array): RpcStatus | null {
  const fields = parseFields(bytes);
  if (fields === null) return null;
  let message = '';
  let retryAfterMs: number | null = null;
  for (const { number, value } of fields) {
    if (number === 2 && typeof value !== 'number') message = new TextDecoder().decode(value);
    if (number === 3 && typeof value !== 'number') retryAfterMs ??= retryDelayIn(value);
  }
  return { message, retryAfterMs };
}

function retryDelayIn(any: Uint8Array): number | null {
  const type = bytesAt(any, 1);
  if (type === null || !new TextDecoder().decode(type).endsWith('google.rpc.RetryInfo'))
    return null;
  const info = bytesAt(any, 2);
  const duration = info === null ? null : bytesAt(info, 1);
  if (duration === null) return null;
  const part = (field: number): number => {
    const value = parseFields(duration)?.find(({ number }) => number === field)?.value;
    return typeof value === 'number' ? value : 0;
  };
  return part(1) * 1_000 + part(2) / 1e6;
}

function bytesAt(bytes: Uint8Array, field: number): Uint8Array | null {
  const value = parseFields(bytes)?.find(({ number }) => number === field)?.value;
  return value === undefined || typeof value === 'number' ? null : value;
}

interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/** Varints and length-delimited fields: a Status has no others. */
function parseFields(bytes: Uint8Array): Field[] | null {
  const fields: Field[] = [];
  let at = 0;
  function varint(): number | null {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) return null;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return null;
  }
  while (at < bytes.length) {
    const tag = varint();
    const value = varint();
    if (tag === null || value === null) return null;
    const number = Math.floor(tag / 8);
    if (tag % 8 === 0) fields.push({ number, value });
    else if (tag % 8 !== 2 || at + value > bytes.length) return null;
    else {
      fields.push({ number, value: bytes.subarray(at, at + value) });
      at += value;
    }
  }
  return fields;
}
