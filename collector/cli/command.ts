import type { Command } from 'commander';

/** A line of output. All of it is text: colours are said beside it, never in it. */
export type Line = string | { readonly text: string; readonly style: 'dim' | 'bold' };

/**
 * Where a command prints and what it may know of its surroundings. The only way out: no command
 * touches the process' own streams (a test holds that).
 *
 * Contract: whatever names, messages and texts of strangers are handed in, no control character of
 * them comes out (extension/disarm.ts), and no line of theirs: what is more than one line has a
 * method of its own. JSON stays JSON, with the same values.
 */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Width in columns; null when the output is not a terminal, and then nothing is cut. */
  readonly columns: number | null;
  readonly colour: boolean;
  readonly now: () => Date;
  print(line: Line): void;
  /** On several lines, for people who read JSON. */
  printJson(value: unknown): void;
  /**
   * CSV or NDJSON that is there as text, with or without the end of its last line. As fast as
   * whoever reads it; what it could not be written for.
   */
  printRows(text: string): Promise<Error | null>;
  complain(line: Line): void;
  /**
   * One line that the next one takes the place of, '' takes it away; null where the output is no
   * terminal.
   */
  readonly showProgress: ((line: string) => void) | null;
}

/** 0 good, 1 the answer is bad (a check failed, the store could not be read), 2 wrong use. */
export type ExitCode = 0 | 1 | 2;

/**
 * One command of `pi-ledger`. A new one is a file in `commands/` and a line in
 * `commands/registry.ts`.
 *
 * Contract: `define` adds the command to the program, and its action calls `exit` once with the
 * outcome. Defining loads nothing heavy: what a command needs to run is imported when it runs,
 * since every start pays for every definition.
 */
export interface CliCommand {
  define(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void;
}

/** Wrong use of a command: printed without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** A line each. */
  readonly details: readonly string[];

  constructor(message: string, details: readonly string[] = []) {
    super(message);
    this.details = details;
  }
}
