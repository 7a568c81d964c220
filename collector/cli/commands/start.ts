import type { AccessConfig } from '../../config/access.ts';
import type { CliCommand, Terminal } from '../command.ts';
import { ownLine } from '../own-line.ts';

/** `pi-ledger start` (the default command): the collector, until it is told to stop. */
export const startCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('start', { isDefault: true })
      .description('run the collector (default)')
      .action(async () => {
        const { loadCollectorConfig } = await import('../../config/config.ts');
        const { startCollector } = await import('../../main.ts');
        const config = loadCollectorConfig(terminal.env);
        for (const doubt of config.doubts) terminal.complain(`Settings: ${doubt}`);
        const collector = await startCollector(config, {
          logStream: { write: (line) => terminal.complain(line.trimEnd()) },
          sessions: { environment: terminal.env, print: terminal.print },
        });
        terminal.print(`pi-ledger listens on ${collector.url}`);
        await sayWhoMayAsk(config, terminal);
        terminal.print(
          `Work with pi or omp; ask \`${ownLine(terminal, 'report')}\`. Ctrl-C stops the collector; nothing is lost while it is away.`,
        );
        exit((await collector.stopped) ? 0 : 1);
      });
  },
};

async function sayWhoMayAsk(config: AccessConfig, terminal: Terminal): Promise<void> {
  const { asksForTokens, isLoopback } = await import('../../config/access.ts');
  if (!asksForTokens(config)) return;
  const isWildcard = config.address === '0.0.0.0' || config.address === '::';
  const names = [...(isWildcard ? [] : [config.address]), ...config.hosts];
  const byNames =
    names.length === 0
      ? 'no name but the local ones: list others in "hosts" in config.json'
      : names.join(', ');
  terminal.print(
    `It listens on the address ${config.address}, asks for tokens, and answers to ${byNames}.`,
  );
  if (!isLoopback(config.address) && config.tls === null)
    terminal.complain(
      'Tokens travel in the clear on that address: set "tls" in config.json, or put a proxy with TLS in front of a loopback address.',
    );
}
