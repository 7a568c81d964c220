import type { Terminal } from './command.ts';

/** The process' own terminal. Colours only on a TTY and without NO_COLOR (https://no-color.org). */
export function processTerminal(): Terminal {
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
