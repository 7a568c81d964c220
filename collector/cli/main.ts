/** The command line. `main` never calls process.exit: its caller exits with the code. */

import type { ExitCode } from './command.ts';
import { storeNames } from './commands/registry.ts';
import { explain } from './explain.ts';
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
    await program.parseAsync([...withCommand(argv)], { from: 'user' });
    return code;
  } catch (error) {
    return explain(error, terminal);
  }
}

/**
 * Without a command it is `overview`. Options of `start` may stand alone, as they could when that
 * was the default (`pi-ledger --port 8000`), and so may what now is below `store`.
 */
function withCommand(argv: readonly string[]): readonly string[] {
  const [first] = argv;
  if (first !== undefined && storeNames.has(first)) return ['store', ...argv];
  if (first !== undefined && (!first.startsWith('-') || ownOptions.has(first))) return argv;
  return [first?.startsWith('--port') ? 'start' : 'overview', ...argv];
}

const ownOptions = new Set(['-h', '--help', '-V', '--version']);
