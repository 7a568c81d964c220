/** `--watch`: prints an answer again and again, in the place of the one before. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type ExitCode, type Terminal, UsageError } from './command.ts';

const everySecondsDefault = 2;
const everySecondsMax = 3_600;

export function addWatchOption(command: Command): Command {
  return command.option(
    '--watch [seconds]',
    `print it anew every ${everySecondsDefault} s, or as often as said; Ctrl-C ends it`,
  );
}

/** `watch`: as Commander gives it. Without the option, once. Ends only with the process. */
export async function watching(
  watch: true | string | undefined,
  terminal: Terminal,
  show: () => Promise<ExitCode>,
): Promise<ExitCode> {
  if (watch === undefined) return show();
  const seconds = watch === true ? everySecondsDefault : Number(watch);
  if (!(seconds > 0 && seconds <= everySecondsMax))
    throw new UsageError(`--watch: expected seconds, up to ${everySecondsMax}, got "${watch}"`);
  if (terminal.clear === null) throw new UsageError('--watch: the output is not a terminal');
  for (;;) {
    terminal.clear();
    await show();
    await sleep(seconds * 1_000);
  }
}
