/**
 * The settings for access to a collector: readers of their values, and what follows from them.
 * Pure.
 */
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import type { ValueReader } from '@pi-ledger/contract/settings/plain-readers';
import type { CollectorConfig } from './config.ts';
import { isHost, isLoopback } from './host.ts';

export type AccessConfig = Pick<
  CollectorConfig,
  'address' | 'auth' | 'hosts' | 'minimumUsers' | 'requestsPerMinuteMax' | 'tls'
>;

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export function asksForTokens({ address, auth, hosts }: AccessConfig): boolean {
  return auth === 'required' || !isLoopback(address) || hosts.length > 0;
}

/** The address at which programs on this machine reach a collector that listens there. */
export function localAddressOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/** As it stands in a URL and in a Host header. */
export function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
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
