import type { CliCommand } from '../command.ts';

/** `pi-ledger start` (the default command): the collector, until it is told to stop. */
export const startCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('start', { isDefault: true })
      .description('run the collector (default)')
      .action(async () => {
        const { loadCollectorConfig } = await import('../../config.ts');
        const { startCollector } = await import('../../main.ts');
        const collector = await startCollector(loadCollectorConfig(terminal.env), {
          sessions: { environment: terminal.env, print: terminal.print },
        });
        terminal.print(`pi-ledger listens on ${collector.url}`);
        terminal.print('Work with pi or omp; ask `pi-ledger report`. Ctrl-C stops the collector; nothing is lost while it is away.');
        exit((await collector.stopped) ? 0 : 1);
      });
  },
};
