/** What a host is called, in settings: a name, or an address. Pure. */
import { isIP } from 'node:net';

export function isHost(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= 253 &&
    (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(value) || isBracketed(value))
  );
}

/** Only programs on this machine reach it, or stand behind it. */
export function isLoopback(address: string): boolean {
  return (
    address === 'localhost' ||
    address === '::1' ||
    (isIP(address) === 4 && address.startsWith('127.'))
  );
}

function isBracketed(value: string): boolean {
  return value.startsWith('[') && value.endsWith(']') && isIP(value.slice(1, -1)) === 6;
}
