import { withLedger } from '../../cli/client/ledger-client.ts';
import type { CliCommand } from '../../cli/command.ts';
import { countOf } from '../../cli/output/counts.ts';

/** `pi-ledger rebuild`: builds a view again from the log, beside the old one, and swaps them. */
export const rebuildCommand: CliCommand = {
  examples: {
    'store rebuild': [['pi-ledger store rebuild sessions', 'fold one view anew']],
  },
  define(program, terminal, exit) {
    program
      .command('rebuild')
      .description('build a view again from the log; the old one answers until it is done')
      .argument(
        '<projection>',
        'sessions (with its rollups usage and totals), producers, context or compactions',
      )
      .option('--json', 'print JSON')
      .action(async (projection: string, options: { readonly json?: true }) => {
        const answer = await withLedger(terminal, (client) =>
          client.post('/v1/rebuild/{projection}', {}, { params: { projection } }),
        );
        const seconds = (answer.durationMs / 1000).toFixed(1);
        terminal.print(
          options.json
            ? JSON.stringify({ projection, ...answer })
            : `${projection}: rebuilt from ${countOf(answer.events, 'event')} in ${seconds} s.`,
        );
        exit(0);
      });
  },
};
