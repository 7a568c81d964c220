/** The command line's words: every command of the registry, its options and its help. */
import { Command } from 'commander';
import type { ExitCode, Terminal } from './command.ts';
import { commands } from './commands/registry.ts';
import { version } from './version.ts';

/**
 * Contract: `exit` is called once by the command that ran; what is mistyped ends in a
 * CommanderError.
 */
export function createProgram(terminal: Terminal, exit: (code: ExitCode) => void): Command {
  const program = new Command('pi-ledger')
    .description('Every token, dollar and compaction of your pi agents, accounted for.')
    .version(version)
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText(
      'after',
      '\nExit codes: 0 good, 1 the answer is bad, 2 wrong use.\nFiles: ~/.pi-ledger, or PI_LEDGER_HOME.',
    )
    .configureOutput({
      writeOut: (text) => linesOf(text).forEach(terminal.print),
      writeErr: (text) => linesOf(text).forEach(terminal.complain),
    })
    .exitOverride();
  for (const command of commands) {
    command.define(program, terminal, exit);
  }
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
  }
  return program;
}

/** Help, and complaints about the user's own words. */
function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}
