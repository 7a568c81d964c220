import type { Command } from 'commander';
import type { Line } from './line.ts';
import type { Answer } from './output/answer-parts.ts';

/**
 * Where a command prints, and what it may know of its surroundings. No command touches the streams
 * of the process itself (a test holds that).
 *
 * Contract: names, messages and texts of others come out without control characters and without
 * line ends (core/text/sanitize.ts); output of several lines has its own methods. JSON stays JSON,
 * with the same values.
 */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Width in columns; null if the output is not a terminal: then nothing is cut. */
  readonly columns: number | null;
  /** It is for what is printed; complaints have their own setting. */
  readonly colour: boolean;
  /** False: its marks are `>=`, `<=`, `-`. */
  readonly utf8: boolean;
  readonly now: () => Date;
  print(line: Line): void;
  /** Indented, on several lines. */
  printJson(value: unknown): void;
  /**
   * CSV or NDJSON, with or without its last line end. Resolves when the reader has taken it, with
   * the error if it could not be written.
   */
  printRows(text: string): Promise<Error | null>;
  complain(line: Line): void;
  /**
   * Shows one line in the place of the one before; '' removes it. Null if the output is not a
   * terminal.
   */
  readonly showProgress: ((line: string) => void) | null;
  /** Empties the screen. Null if the output is not a terminal. */
  readonly clear: (() => void) | null;
  /**
   * Shows a question and waits for a line; null: no more come. Null if nobody sits at a terminal.
   */
  readonly ask: ((question: string) => Promise<string | null>) | null;
  /** Makes a document of answers (sharing/showing.ts). Undefined: they are printed as lines. */
  readonly document?: DocumentMaker;
}

interface DocumentMaker {
  /** It shows them, so commands ask for what they need. */
  readonly hasCharts: boolean;
  take(answer: Answer): void;
}

/** 0 success, 1 failure (a check failed, the store could not be read), 2 usage error. */
export type ExitCode = 0 | 1 | 2;

/** What is typed, and what it answers. */
export type Example = readonly [line: string, what: string];

/**
 * One command of `pi-ledger`. A new one is a file in `commands/` and a line in
 * `commands/registry.ts`.
 *
 * Contract: `define` adds the command to the program; its action calls `exit` once with the
 * outcome. `define` loads nothing heavy, since every start defines every command: what a command
 * needs is imported when it runs.
 */
export interface CliCommand {
  /** By the words that are typed: `rejected list`. A test asks for one of each. */
  readonly examples: Readonly<Record<string, readonly Example[]>>;
  define(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void;
}

/** A command was used wrongly: printed without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** One line each. */
  readonly details: readonly string[];

  constructor(message: string, details: readonly string[] = []) {
    super(message);
    this.details = details;
  }
}
