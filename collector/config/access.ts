/** What follows from the settings for access to a collector. Pure. */
import type { CollectorConfig } from './config.ts';
import { isLoopback } from './host.ts';

export type AccessConfig = Pick<
  CollectorConfig,
  'address' | 'auth' | 'hosts' | 'minimumUsers' | 'requestsPerMinuteMax' | 'tls'
>;

export function asksForTokens({ address, auth, hosts }: AccessConfig): boolean {
  return auth === 'required' || !isLoopback(address) || hosts.length > 0;
}

/** The address at which programs on this machine reach a collector that listens there. */
export function localAddress(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/** As it stands in a URL and in a Host header. */
export function parseHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
