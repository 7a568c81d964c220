import { Argument } from 'commander';
import type { CliCommand } from '../command.ts';
import { version } from '../version.ts';

const kinds = ['bash', 'zsh', 'fish', 'man'] as const;

/** `pi-ledger completion`: what the shell completes, and the manual page. */
export const completionCommand: CliCommand = {
  examples: {
    completion: [
      ['source <(pi-ledger completion bash)', 'in ~/.bashrc'],
      ['pi-ledger completion man > ~/.local/share/man/man1/pi-ledger.1', 'the manual page'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('completion')
      .description('print the completion of a shell, or the manual page')
      .addArgument(new Argument('<shell>', 'bash, zsh, fish, or man').choices(kinds))
      .action(async (kind: (typeof kinds)[number]) => {
        const { describeCommand } = await import('./shape.ts');
        const shape = describeCommand(program);
        const script =
          kind === 'man'
            ? (await import('./manual.ts')).writeManual(shape, version)
            : (await import('./shells.ts')).shells[kind](shape);
        const error = await terminal.printRows(script);
        exit(error === null ? 0 : 1);
      });
  },
};
