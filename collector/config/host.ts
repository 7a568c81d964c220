/** What a host is called, in settings: a name, or an address. Pure. */
import { isIP } from 'node:net';

export function isHost(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= 253 &&
    (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(value) || isBracketed(value))
  );
}

function isBracketed(value: string): boolean {
  return value.startsWith('[') && value.endsWith(']') && isIP(value.slice(1, -1)) === 6;
}
