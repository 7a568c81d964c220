/** Reads the settings for access to a collector. Pure. */
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import type { ValueReader } from '@pi-ledger/contract/settings/plain-readers';
import { isHost } from './host.ts';

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export const addressReader: ValueReader<string> = {
  read: (value) =>
    typeof value === 'string' && (isIP(value) !== 0 || value === 'localhost') ? value : undefined,
  expected: 'an IP address of this machine, or localhost',
};

const hostsMax = 100;

export const hostsReader: ValueReader<readonly string[]> = {
  read(value) {
    const hosts: unknown =
      typeof value === 'string' ? value.split(',').map((host) => host.trim()) : value;
    return Array.isArray(hosts) && hosts.length <= hostsMax && hosts.every(isHost)
      ? hosts
      : undefined;
  },
  expected: `up to ${hostsMax} host names or addresses without a port`,
};

export const tlsReader: ValueReader<TlsFiles> = {
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const { certFile, keyFile, ...others } = value as Readonly<Record<string, unknown>>;
    return isPath(certFile) && isPath(keyFile) && Object.keys(others).length === 0
      ? { certFile, keyFile }
      : undefined;
  },
  expected: '{ "certFile": ..., "keyFile": ... }, both absolute paths',
};

function isPath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value);
}
