import { ownCommand, withCommand } from '../process/own-command.ts';
import type { Terminal } from './command.ts';

/** How the user types another command of this installation, in any folder. */
export function ownLine({ env }: Pick<Terminal, 'env'>, words: string): string {
  return `${ownCommand(env)} ${words}`;
}

/** A hint of ours, its commands as the user types them. */
export function asCalled({ env }: Pick<Terminal, 'env'>, hint: string): string {
  return hint.includes('pi-ledger') ? withCommand(hint, ownCommand(env)) : hint;
}
