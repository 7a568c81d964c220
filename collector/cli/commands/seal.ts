import type { Answers } from '@pi-ledger/contract/answers';
import { openLedgerClient } from '../client/ledger-client.ts';
import { type CliCommand, UsageError } from '../command.ts';
import { countOf } from '../output/usage-table.ts';
import { isDay } from '../period.ts';

/** `pi-ledger seal`: deletes old events for good; all sums, sessions and counters stay. */
export const sealCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('seal')
      .description('delete events before a day; sums, sessions and counters stay as they are')
      .requiredOption('--before <day>', 'YYYY-MM-DD, UTC')
      .option('--dry-run', 'say how many events would go, and do nothing')
      .option('--json', 'print JSON')
      .action(
        async ({
          before,
          dryRun = false,
          json = false,
        }: {
          before: string;
          dryRun?: boolean;
          json?: boolean;
        }) => {
          if (!isDay(before))
            throw new UsageError(`--before: expected a day (2026-11-22), got "${before}"`);
          const client = await openLedgerClient(terminal);
          try {
            const answer = await client.post('/v1/seal', { before, dryRun });
            terminal.print(json ? JSON.stringify(answer) : sentenceOf(answer, dryRun));
            exit(0);
          } finally {
            await client.close();
          }
        },
      );
  },
};

function sentenceOf(
  { floor, events, documents }: Answers['POST /v1/seal'],
  dryRun: boolean,
): string {
  const day = floor.slice(0, 10);
  if (dryRun) return `${countOf(events, 'event')} from before ${day} would be deleted.`;
  if (documents === 0)
    return `There is nothing from before ${day} to be deleted, or nothing left of it.`;
  const stay = `${countOf(documents, 'document')} ${documents === 1 ? 'stays' : 'stay'} of what was`;
  return `${countOf(events, 'event')} from before ${day} deleted; ${stay}.`;
}
