import { createInterface, type Interface } from 'node:readline';

/**
 * The output of this process; only this file of the command line knows its streams. A screen writes
 * raw text, so commands get the safe `Terminal` that `terminalOn` makes of it (terminal.ts). Tests
 * bring their own screen.
 */
export interface Screen {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns: number | null;
  readonly colour: boolean;
  /** It is for complaints; if it is left out, `colour` holds for them, too. */
  readonly colourOfComplaints?: boolean;
  readonly now: () => Date;
  /** Ends the line. Who prints much awaits what it returns. */
  print(text: string): unknown;
  complain(text: string): unknown;
  /** Only if a line can be overwritten. */
  overwrite?(text: string): void;
  /** Only of a terminal. */
  clear?(): void;
  /** Only if somebody can answer there. Null: the input has ended. */
  ask?(question: string): Promise<string | null>;
}

/** What has scrolled out of sight is the user's, and stays. */
const emptyScreen = '\u001b[H\u001b[2J';

/**
 * Colours: see `wantsColour`. If the reader stops (`| head`)
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
    colour: wantsColour(process.env, isTerminal),
    colourOfComplaints: wantsColour(process.env, process.stderr.isTTY === true),
    now: () => new Date(),
    print: (text) =>
      new Promise((resolve) => {
        process.stdout.write(`${text}\n`, resolve);
      }),
    complain(text) {
      process.stderr.write(`${text}\n`);
    },
    ...(isTerminal
      ? {
          overwrite: (text) => void process.stderr.write(text),
          clear: () => void process.stdout.write(emptyScreen),
        }
      : {}),
    ...(isTerminal && process.stdin.isTTY === true ? { ask: asking() } : {}),
  };
}

/**
 * The terminal itself edits the line, so that Ctrl-C works as everywhere. Between two questions
 * nothing is read, and a process that asks no more can end.
 */
function asking(): (question: string) => Promise<string | null> {
  const typed: string[] = [];
  let lines: Interface | null = null;
  let hasEnded = false;
  let wake: () => void = () => undefined;
  const begin = (): Interface => {
    const begun = createInterface({ input: process.stdin, terminal: false });
    begun.on('line', (line) => {
      typed.push(line);
      wake();
    });
    begun.on('close', () => {
      hasEnded = true;
      wake();
    });
    return begun;
  };
  return async (question) => {
    process.stdout.write(question);
    lines ??= begin();
    while (typed.length === 0 && !hasEnded) {
      const more = Promise.withResolvers<void>();
      wake = more.resolve;
      lines.resume();
      await more.promise;
    }
    if (!hasEnded) lines.pause();
    return typed.shift() ?? null;
  };
}

/**
 * FORCE_COLOR decides if it is set: no for `0` and `false`, otherwise yes. Then NO_COLOR (any
 * value): no. Then whether it is a terminal, and not a dumb one. An empty variable counts as not
 * set. Node and https://no-color.org say so.
 */
export function wantsColour(
  { FORCE_COLOR, NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR) return false;
  return isTerminal && TERM !== 'dumb';
}

function noteUnwritten({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || process.exitCode === 1) return;
  process.exitCode = 1;
  process.stderr.write(`pi-ledger: the output is incomplete: ${message}\n`);
}
