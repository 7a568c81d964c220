import type { Answers } from '@pi-ledger/contract/answers';
import { isDay } from '@pi-ledger/core/time/day';
import { withLedger } from '../../cli/client/ledger-client.ts';
import { type CliCommand, UsageError } from '../../cli/command.ts';
import { countOf } from '../../cli/output/counts.ts';

/** `pi-ledger seal`: deletes old events for good; sums, sessions and counters stay. */
export const sealCommand: CliCommand = {
  examples: {
    'store seal': [
      ['pi-ledger store seal --before 2026-01-01 --dry-run', 'how much history would be deleted'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('seal')
      .description('delete events before a day for good; sums, sessions and counters stay')
      .requiredOption('--before <day>', 'the first day to keep: YYYY-MM-DD, UTC')
      .option('--dry-run', 'show how many events would be deleted, and delete none')
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
          const answer = await withLedger(terminal, (client) =>
            client.post('/v1/seal', { before, dryRun }),
          );
          terminal.print(json ? JSON.stringify(answer) : sentenceOf(answer, dryRun));
          exit(0);
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
  if (documents === 0) return `There is nothing from before ${day} to delete.`;
  const kept = countOf(documents, 'document');
  return `${countOf(events, 'event')} from before ${day} deleted; ${kept} keep their sums.`;
}
