import { grouped } from '@pi-ledger/contract/amounts';
import type { RequestList } from '@pi-ledger/contract/answers';
import { type LedgerClient, withLedger } from '../../cli/client/ledger-client.ts';
import { showAnswer } from '../../cli/client/show-answer.ts';
import { complainAbout, standingNotes } from '../../cli/client/standing.ts';
import { whyEmpty } from '../../cli/client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../../cli/command.ts';
import {
  addFilterOptions,
  type FilterOptions,
  filterNames,
  filterParameters,
} from '../../cli/filters.ts';
import { addWideOption, printAnswer } from '../../cli/output/answer.ts';
import type { Table } from '../../cli/output/answer-parts.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { expectRowLimit, rowLimitMax } from '../../cli/row-limit.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';
import { requestsNotes, requestsTable } from './print.ts';

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
      .option('--limit <n>', `number of requests, at most ${grouped(rowLimitMax)}`, '20')
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

/** What the rows are made of. */
const views = ['sessions', 'context'];

async function requests(options: RequestsOptions, terminal: Terminal): Promise<ExitCode> {
  const limit = expectRowLimit(options.limit);
  const query = filterParameters(options, terminal.now());
  if (options.failed) query.set('only', 'failed');
  if (options.csv) return printCsv(query, limit, terminal);
  query.set('limit', String(limit));
  return showAnswer(options, terminal, {
    views,
    ask: (client) => client.get('/v1/requests', { query }),
    async print(answer, warnings, client) {
      const what = options.failed ? 'what failed, newest first' : 'newest first';
      printAnswer(terminal, {
        first: firstLine(options, terminal, { what, source: client.source }),
        body: [await bodyOf(answer, { options, terminal, client })],
        notes: [...warnings, ...requestsNotes(answer)],
        wide: options.wide,
        timeZone: options.timezone,
      });
    },
  });
}

function printCsv(query: URLSearchParams, limit: number, terminal: Terminal): Promise<ExitCode> {
  return withLedger(terminal, async (client) => {
    const warnings = await standingNotes(client, views);
    query.set('format', 'csv');
    await terminal.printRows(await client.getCsv('/v1/requests', query, limit));
    complainAbout(warnings, terminal);
    return warnings.length === 0 ? 0 : 1;
  });
}

interface Asked {
  readonly options: RequestsOptions;
  readonly terminal: Terminal;
  readonly client: LedgerClient;
}

async function bodyOf(
  answer: RequestList,
  { options, terminal, client }: Asked,
): Promise<Table | string> {
  if (answer.rows.length > 0) return requestsTable(answer);
  return options.failed ? 'Nothing failed.' : whyEmpty(client, options, terminal);
}
