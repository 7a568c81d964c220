import { openLedgerClient } from '../client/ledger-client.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { addFilterOptions, type FilterOptions, filterParameters } from '../filters.ts';
import { formatCount } from '../output/format.ts';
import { expectTimeZone } from '../period.ts';
import { expectRowLimit, rowLimitMax } from '../row-limit.ts';

type CompactionsOptions = FilterOptions & {
  readonly session?: readonly string[];
  readonly trigger?: readonly string[];
  readonly limit: string;
  readonly timezone?: string;
  readonly json?: true;
  readonly csv?: true;
};

interface ShowOptions {
  readonly timezone?: string;
  readonly json?: true;
}

/** `pi-ledger compactions`: what each compaction dropped, cost and saved; `show` has all of one. */
export const compactionsCommand: CliCommand = {
  define(program, terminal, exit) {
    const compactions = program
      .command('compactions')
      .description('what compactions dropped, cost and saved, and what was read again after them')
      .option('--session <id...>', 'only of this session: its id, the beginning of it, or `last`')
      .option(
        '--trigger <name...>',
        'only those that this brought about: manual, threshold, overflow, ...',
      )
      .option(
        '--limit <n>',
        `how many rows the table has, at most ${formatCount(rowLimitMax)}`,
        '20',
      )
      .option(
        '--timezone <name>',
        "days and times in this zone (Europe/Berlin), instead of each spender's days and your times",
      )
      .option('--json', 'print JSON: all rows, and what they come to')
      .option('--csv', 'print CSV: all rows');
    addFilterOptions(compactions, ['compaction', 'branchSummary', 'failure']).action(
      async (options: CompactionsOptions) => {
        exit(await list(options, terminal));
      },
    );
    compactions
      .command('show')
      .description('all that is known of one compaction')
      .argument(
        '<id>',
        'as listed, the beginning of it, or the id of its entry in the session file',
      )
      .option('--timezone <name>', 'times in this zone (Europe/Berlin), instead of your own')
      .option('--json', 'print JSON')
      .action(
        async (id: string, _options: ShowOptions, command: { optsWithGlobals(): ShowOptions }) => {
          exit(await show(id, command.optsWithGlobals(), terminal));
        },
      );
  },
};

async function list(options: CompactionsOptions, terminal: Terminal): Promise<ExitCode> {
  const limit = expectRowLimit(options.limit);
  const timezone =
    options.timezone === undefined ? undefined : expectTimeZone('timezone', options.timezone);
  const parameters = filterParameters(options, terminal.now(), timezone);
  if (timezone !== undefined) parameters.set('timezone', timezone);
  for (const session of options.session ?? []) parameters.append('session', session);
  for (const trigger of options.trigger ?? []) parameters.append('trigger', trigger);
  const client = await openLedgerClient(terminal);
  try {
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/compactions', parameters));
      return 0;
    }
    if (options.json) {
      const { next: _, ...answer } = await client.getAll('/v1/compactions', parameters);
      terminal.printJson(answer);
      return 0;
    }
    parameters.set('limit', String(limit));
    const answer = await client.get('/v1/compactions', { query: parameters });
    (await import('../output/compactions-table.ts')).printCompactions(answer, terminal, timezone);
    return 0;
  } finally {
    await client.close();
  }
}

async function show(
  id: string,
  { timezone, json }: ShowOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const timeZone = timezone === undefined ? undefined : expectTimeZone('timezone', timezone);
  const client = await openLedgerClient(terminal);
  try {
    const row = await client.get('/v1/compactions/{id}', { params: { id } });
    if (json) terminal.printJson(row);
    else (await import('../output/compaction-details.ts')).printCompaction(row, terminal, timeZone);
    return 0;
  } finally {
    await client.close();
  }
}
