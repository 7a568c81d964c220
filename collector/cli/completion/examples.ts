/** Examples of commands, for their help and the manual. Each command has its own beside it. */
import type { Command } from 'commander';
import type { Example } from '../command.ts';

const known = new WeakMap<Command, readonly Example[]>();

export function setExamples(command: Command, examples: readonly Example[]): void {
  known.set(command, examples);
}

export function findExamples(command: Command): readonly Example[] {
  return known.get(command) ?? [];
}
