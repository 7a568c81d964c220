import type { Terminal } from './command.ts';

/**
 * The process' own terminal. Colours only on a TTY and without NO_COLOR (https://no-color.org). Whoever reads the output may stop (`| head`): the rest is
 * then printed nowhere. Output that has no room (a full disk) makes the process end with exit code 1, and does not end it: a collector goes on.
 */
export function processTerminal(): Terminal {
  process.stdout.on('error', noteUnwritten);
  process.stderr.on('error', () => undefined); // there is nowhere left to say it
  const isTerminal = process.stdout.isTTY === true;
  return {
    env: process.env,
    columns: isTerminal ? process.stdout.columns || 80 : null,
    colour: isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    now: () => new Date(),
    print: (line) => {
      process.stdout.write(`${line}\n`);
    },
    complain: (line) => {
      process.stderr.write(`${line}\n`);
    },
  };
}

function noteUnwritten({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || process.exitCode === 1) return;
  process.exitCode = 1;
  process.stderr.write(`pi-ledger: the output is not complete: ${message}\n`);
}
