/**
 * The address that others give their extensions and commands, as far as the settings tell: `url`;
 * else the first of `hosts`, which a proxy serves over https unless the collector does so itself;
 * else where it listens. On all addresses that is the machine's name. Pure.
 */
import { localAddress, parseHost } from './access.ts';
import type { CollectorConfig } from './config.ts';

export type SharedSettings = Pick<CollectorConfig, 'address' | 'hosts' | 'port' | 'tls' | 'url'>;

export function sharedUrl(
  { address, hosts, port, tls, url }: SharedSettings,
  machineName: string,
): string {
  if (url !== null) return url;
  const [name] = hosts;
  if (tls !== null) return `https://${parseHost(name ?? shownName(address, machineName))}:${port}`;
  if (name !== undefined) return `https://${parseHost(name)}`;
  return `http://${parseHost(shownName(address, machineName))}:${port}`;
}

function shownName(address: string, machineName: string): string {
  return localAddress(address) === address ? address : machineName;
}
