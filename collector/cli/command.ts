import type { Command } from 'commander';

/** Where a command prints and what it may know of its surroundings. Tests hand in their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Width in columns; null when the output is not a terminal, and then nothing is cut. */
  readonly columns: number | null;
  readonly colour: boolean;
  readonly now: () => Date;
  print(line: string): void;
  complain(line: string): void;
}

/** 0 good, 1 the answer is bad (a check failed, the store could not be read), 2 wrong use. */
export type ExitCode = 0 | 1 | 2;

/**
 * One command of `pi-ledger`. A new one is a file in `commands/` and a line in `commands/registry.ts`.
 *
 * Contract: `define` adds the command to the program, and its action calls `exit` once with the outcome. Defining loads nothing heavy: what
 * a command needs to run is imported when it runs, since every start pays for every definition.
 */
export interface CliCommand {
  define(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void;
}

/** Wrong use of a command: printed without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
