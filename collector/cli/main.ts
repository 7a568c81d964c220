/** The command line. `main` never calls process.exit: the caller turns the code into one. */
import { Command, CommanderError } from 'commander';
import { LedgerError } from '../errors.ts';
import { type ExitCode, type Terminal, UsageError } from './command.ts';
import { commands } from './commands/registry.ts';
import { RefusedError } from './ledger-client.ts';
import { processTerminal } from './terminal.ts';
import { version } from './version.ts';

export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = new Command('pi-ledger')
    .description('Every token, dollar and compaction of your pi agents, accounted for.')
    .version(version)
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText('after', '\nExit codes: 0 good, 1 the answer is bad, 2 wrong use.\nFiles: ~/.pi-ledger, or PI_LEDGER_HOME.')
    .configureOutput({ writeOut: (text) => terminal.print(text.trimEnd()), writeErr: (text) => terminal.complain(text.trimEnd()) })
    .exitOverride();
  for (const command of commands) {
    command.define(program, terminal, (outcome) => {
      code = outcome;
    });
  }
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return explain(error, terminal);
  }
}

/** Commander has already printed its own complaint; help and version end through an error as well. */
function explain(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? 0 : 2;
  }
  terminal.complain(`pi-ledger: ${error instanceof Error ? error.message : String(error)}`);
  const isWrongUse =
    error instanceof UsageError ||
    (error instanceof LedgerError && error.exitCode === 2) ||
    (error instanceof RefusedError && error.status === 400);
  return isWrongUse ? 2 : 1;
}
