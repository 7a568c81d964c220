import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where what tests build or unpack is kept from run to run, outside of the checkout. */
export function cacheDirectory(environment: NodeJS.ProcessEnv, name: string): string {
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pi-ledger-test', name);
}
