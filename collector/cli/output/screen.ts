/**
 * The output of this process; only this file of the command line knows its streams. A screen writes
 * raw text, so commands get the safe `Terminal` that `terminalOn` makes of it (terminal.ts). Tests
 * bring their own screen.
 */
export interface Screen {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns: number | null;
  readonly colour: boolean;
  readonly now: () => Date;
  /** Ends the line. Who prints much awaits what it returns. */
  print(text: string): unknown;
  complain(text: string): unknown;
  /** Only if a line can be overwritten. */
  overwrite?(text: string): void;
}

/**
 * Colours only on a TTY and without NO_COLOR (https://no-color.org). If the reader stops (`| head`)
 * the rest is dropped. A failed write (a full disk) sets exit code 1 but does not end the process:
 * a collector keeps running.
 */
export function processScreen(): Screen {
  process.stdout.on('error', noteUnwritten);
  process.stderr.on('error', () => undefined); // nowhere left to report it
  const isTerminal = process.stdout.isTTY === true;
  return {
    env: process.env,
    columns: isTerminal ? process.stdout.columns || 80 : null,
    colour: isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    now: () => new Date(),
    print: (text) =>
      new Promise((resolve) => {
        process.stdout.write(`${text}\n`, resolve);
      }),
    complain(text) {
      process.stderr.write(`${text}\n`);
    },
    ...(isTerminal ? { overwrite: (text) => void process.stderr.write(text) } : {}),
  };
}

function noteUnwritten({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || process.exitCode === 1) return;
  process.exitCode = 1;
  process.stderr.write(`pi-ledger: the output is incomplete: ${message}\n`);
}
