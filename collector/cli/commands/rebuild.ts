import { openLedgerClient } from '../client/ledger-client.ts';
import type { CliCommand } from '../command.ts';
import { countOf } from '../output/usage-table.ts';

/** `pi-ledger rebuild`: folds a view anew from the log, beside the old one, and swaps them. */
export const rebuildCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('rebuild')
      .description('fold a view anew from the log, beside the old one')
      .argument(
        '<projection>',
        'sessions (with its rollups usage and totals), producers, context or compactions',
      )
      .option('--json', 'print JSON')
      .action(async (projection: string, options: { readonly json?: true }) => {
        const client = await openLedgerClient(terminal);
        try {
          const answer = await client.post(
            '/v1/rebuild/{projection}',
            {},
            { params: { projection } },
          );
          terminal.print(
            options.json
              ? JSON.stringify({ projection, ...answer })
              : `${projection}: ${countOf(answer.events, 'event')} folded in ${(answer.durationMs / 1000).toFixed(1)} s.`,
          );
          exit(0);
        } finally {
          await client.close();
        }
      });
  },
};
