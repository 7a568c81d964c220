import type { Terminal } from './command.ts';

/**
 * How the user types another command: through npx if this one was run that way (npm then sets
 * `exec`), or else by name. It never names a package of somebody else.
 */
export function ownLine({ env }: Pick<Terminal, 'env'>, words: string): string {
  return `${env.npm_command === 'exec' ? 'npx @pi-ledger/collector' : 'pi-ledger'} ${words}`;
}
