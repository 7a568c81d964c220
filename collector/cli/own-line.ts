import type { Terminal } from './command.ts';

/**
 * How a user asks for another command: as this one was, by npx (npm then says `exec`), or by its
 * name. Never a line that somebody else's package could answer.
 */
export function ownLine({ env }: Pick<Terminal, 'env'>, words: string): string {
  return `${env.npm_command === 'exec' ? 'npx @pi-ledger/collector' : 'pi-ledger'} ${words}`;
}
