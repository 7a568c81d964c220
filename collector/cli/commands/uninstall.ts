import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import type { SetupOptions } from '../setup/set-up.ts';
import type { DataOptions } from '../setup/undo/data.ts';

/** `pi-ledger uninstall`: undoes what `init` did, one question at a time. */
export const uninstallCommand: CliCommand = {
  examples: {
    uninstall: [
      ['pi-ledger uninstall', 'undo what init did; the data stays'],
      ['pi-ledger uninstall --data', 'the data goes as well, after a word'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('uninstall')
      .description('undo what init did: extension, service, settings; the data stays')
      .option('--yes', 'ask nothing, undo everything; the data stays')
      .option('--dry-run', 'list the steps, and do nothing')
      .option('--data [word]', 'also delete what was recorded; asks for the word "delete"')
      .option('--force', 'with --data, although events wait in the spool')
      .action(async (options: SetupOptions & DataOptions) => {
        exit(await uninstall(options, terminal));
      });
  },
};

async function uninstall(
  options: SetupOptions & DataOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { setUp } = await import('../setup/set-up.ts');
  const { uninstall: planFor } = await import('../setup/plans.ts');
  return setUp(planFor(options), options, terminal);
}
