import type { Terminal } from './command.ts';

/**
 * The process' own terminal. Colours only on a TTY and without NO_COLOR (https://no-color.org). Whoever reads the output may stop (`| head`): the rest is
 * then printed nowhere.
 */
export function processTerminal(): Terminal {
  process.stdout.on('error', ignoreClosed);
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

function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
