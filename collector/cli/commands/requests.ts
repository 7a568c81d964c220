import { withLedger } from '../client/ledger-client.ts';
import { whyEmpty } from '../client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { addFilterOptions, type FilterOptions, filterNames, filterParameters } from '../filters.ts';
import { addWideOption, printAnswer } from '../output/answer.ts';
import { requestsNotes, requestsTable } from '../output/answers/requests.ts';
import { firstLine } from '../output/first-line.ts';
import { formatCount } from '../output/format.ts';
import { expectRowLimit, rowLimitMax } from '../row-limit.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../sharing/showing.ts';

type RequestsOptions = FilterOptions &
  ShowingOptions & { readonly failed?: true; readonly limit: string; readonly wide?: true };

/** `pi-ledger requests`: the newest requests to models, of all sessions. */
export const requestsCommand: CliCommand = {
  examples: {
    requests: [
      ['pi-ledger requests', 'the newest requests to models: cost, duration, outcome'],
      ['pi-ledger requests --failed --since 7d', 'those that failed'],
    ],
  },
  define(program, terminal, exit) {
    const command = program
      .command('requests')
      .description('show the newest requests to models, of all sessions')
      .option('--failed', 'only those that failed, were aborted or reported nothing')
      .option('--limit <n>', `rows of the table, at most ${formatCount(rowLimitMax)}`, '20')
      .option('--timezone <name>', "count days in this zone (Europe/Berlin), not in each spender's")
      .option('--json', 'print JSON')
      .option('--csv', 'print CSV');
    const names = filterNames.filter((name) => name !== 'kind');
    addFilterOptions(addShowingOptions(addWideOption(command)), [], names).action(
      async (options: RequestsOptions) => {
        exit(await showing(options, terminal, (shown) => requests(options, shown)));
      },
    );
  },
};

async function requests(options: RequestsOptions, terminal: Terminal): Promise<ExitCode> {
  const parameters = filterParameters(options, terminal.now());
  parameters.set('limit', String(expectRowLimit(options.limit)));
  if (options.failed) parameters.set('only', 'failed');
  await withLedger(terminal, async (client) => {
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/requests', parameters));
      return;
    }
    const answer = await client.get('/v1/requests', { query: parameters });
    if (options.json) {
      terminal.printJson(answer);
      return;
    }
    const isShort = terminal.columns !== null && options.wide !== true;
    const body =
      answer.rows.length > 0
        ? requestsTable(answer, isShort)
        : options.failed
          ? 'Nothing failed.'
          : await whyEmpty(client, options, terminal);
    printAnswer(terminal, {
      first: firstLine(options, terminal, {
        what: options.failed ? 'what failed, newest first' : 'newest first',
        source: client.source,
      }),
      body: [body],
      notes: requestsNotes(answer),
      wide: options.wide,
      timeZone: options.timezone,
    });
  });
  return 0;
}
