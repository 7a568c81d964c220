import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import type { SetupOptions } from '../setup/set-up.ts';

/** `pi-ledger init`: from nothing to the page, one question at a time. */
export const initCommand: CliCommand = {
  examples: {
    init: [
      ['pi-ledger init', 'set everything up; each step asks first'],
      ['pi-ledger init --dry-run', 'what it would do'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('init')
      .description('set up: extension, history, a service, the page; safe to repeat')
      .option('--yes', 'ask nothing, take every default')
      .option('--dry-run', 'list the steps, and do nothing')
      .action(async (options: SetupOptions) => {
        exit(await init(options, terminal));
      });
  },
};

async function init(options: SetupOptions, terminal: Terminal): Promise<ExitCode> {
  const { setUp } = await import('../setup/set-up.ts');
  const { init: plan } = await import('../setup/plans.ts');
  return setUp(plan, options, terminal);
}
