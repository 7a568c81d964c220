/** The command line. `main` never calls process.exit: its caller exits with the code. */
import { CommanderError } from 'commander';
import { LedgerError } from '../errors.ts';
import { RefusedError } from './client/ledger-client.ts';
import { type ExitCode, type Terminal, UsageError } from './command.ts';
import { processScreen, type Screen } from './output/screen.ts';
import { terminalOn } from './output/terminal.ts';
import { createProgram } from './program.ts';

export async function main(
  argv: readonly string[],
  screen: Screen = processScreen(),
): Promise<ExitCode> {
  const terminal = terminalOn(screen);
  let code: ExitCode = 0;
  const program = createProgram(terminal, (outcome) => {
    code = outcome;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return explain(error, terminal);
  }
}

/** Commander has printed its complaint already; help and version end with an error as well. */
function explain(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? 0 : 2;
  }
  terminal.complain(`pi-ledger: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof UsageError) for (const detail of error.details) terminal.complain(detail);
  const isUsageError =
    error instanceof UsageError ||
    (error instanceof LedgerError && error.exitCode === 2) ||
    (error instanceof RefusedError && error.status === 400);
  return isUsageError ? 2 : 1;
}
