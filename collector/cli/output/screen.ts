/**
 * What the output of this process is: the only file of the command line that knows the process'
 * streams. Raw: whoever has it can write anything to a terminal, so commands get what `terminalOn`
 * makes of it (terminal.ts), and tests hand in their own.
 */
export interface Screen {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns: number | null;
  readonly colour: boolean;
  readonly now: () => Date;
  /** Ends the line. What it returns is awaited by whoever has much to print. */
  print(text: string): unknown;
  complain(text: string): unknown;
  /** Where a line can be written over. */
  overwrite?(text: string): void;
}

/**
 * Colours only on a TTY and without NO_COLOR (https://no-color.org). Whoever reads the output may
 * stop (`| head`): the rest is then printed nowhere. Output that has no room (a full disk) makes
 * the process end with exit code 1, and does not end it: a collector goes on.
 */
export function processScreen(): Screen {
  process.stdout.on('error', noteUnwritten);
  process.stderr.on('error', () => undefined); // there is nowhere left to say it
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
  process.stderr.write(`pi-ledger: the output is not complete: ${message}\n`);
}
