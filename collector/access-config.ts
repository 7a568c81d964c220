/** The settings that say who may ask a collector, and from where: readers of single values, and what follows from them. Pure. */
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';

export interface AccessConfig {
  /** PI_LEDGER_ADDRESS or `address`: where the collector listens, default 127.0.0.1. */
  readonly address: string;
  /**
   * PI_LEDGER_AUTH or `auth`. `auto` (default): tokens are asked for on every address but loopback, and there too where `hosts` says that others ask, through
   * a proxy. `required`: always.
   */
  readonly auth: 'auto' | 'required';
  /** PI_LEDGER_HOSTS (with commas) or `hosts`: names and addresses, without ports, by which it may be asked beside the local ones. */
  readonly hosts: readonly string[];
  /** `requestsPerMinuteMax`, of one token; default 6000. 0: without a limit. */
  readonly requestsPerMinuteMax: number;
  /** `tls`: PEM files; null: plain HTTP. */
  readonly tls: TlsFiles | null;
}

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export const accessDefaults: AccessConfig = { address: '127.0.0.1', auth: 'auto', hosts: [], requestsPerMinuteMax: 6_000, tls: null };

export function asksForTokens({ address, auth, hosts }: AccessConfig): boolean {
  return auth === 'required' || !isLoopback(address) || hosts.length > 0;
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** How programs on this machine reach a collector that listens there. */
export function localAddressOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/** As it stands in a URL and in a Host header. */
export function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

export const addressExpected = 'an IP address of this machine, or localhost';
export function readAddress(value: unknown): string | undefined {
  return typeof value === 'string' && (isIP(value) !== 0 || value === 'localhost') ? value : undefined;
}

export const authExpected = 'auto or required';
export function readAuth(value: unknown): AccessConfig['auth'] | undefined {
  return value === 'auto' || value === 'required' ? value : undefined;
}

const hostsMax = 100;

export const hostsExpected = `up to ${hostsMax} host names or addresses without a port`;
export function readHosts(value: unknown): readonly string[] | undefined {
  const hosts: unknown = typeof value === 'string' ? value.split(',').map((host) => host.trim()) : value;
  return Array.isArray(hosts) && hosts.length <= hostsMax && hosts.every(isHost) ? hosts : undefined;
}

function isHost(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 253 && (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(value) || isBracketed(value));
}

function isBracketed(value: string): boolean {
  return value.startsWith('[') && value.endsWith(']') && isIP(value.slice(1, -1)) === 6;
}

const requestsPerMinuteMaxMax = 10_000_000;

export const requestsExpected = `a whole number from 0 (no limit) to ${requestsPerMinuteMaxMax}`;
export function readRequestsPerMinuteMax(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= requestsPerMinuteMaxMax ? value : undefined;
}

export const tlsExpected = '{ "certFile": ..., "keyFile": ... }, both absolute paths';
export function readTlsFiles(value: unknown): TlsFiles | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { certFile, keyFile, ...others } = value as Readonly<Record<string, unknown>>;
  const isPath = (path: unknown): path is string => typeof path === 'string' && isAbsolute(path);
  return isPath(certFile) && isPath(keyFile) && Object.keys(others).length === 0 ? { certFile, keyFile } : undefined;
}
