import { lookAtHosts } from '../../process/hosts/hosts.ts';
import type { Finding } from './finding.ts';

/** Is the extension installed, and in which hosts? */
export function checkHosts(env: Readonly<Record<string, string | undefined>>): Finding[] {
  return lookAtHosts(env).map(({ host, state, detail }) => ({ check: host, state, detail }));
}
