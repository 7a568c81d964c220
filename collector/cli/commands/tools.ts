import type { ToolList } from '@pi-ledger/contract/answers';
import type { Found } from '../client/found.ts';
import { importingJson, importingLine, readImporting } from '../client/importing.ts';
import { type LedgerClient, withLedger } from '../client/ledger-client.ts';
import { complainOf, standingNotes, warningTexts } from '../client/standing.ts';
import { unknownNotes } from '../client/unknown-names.ts';
import { whyEmpty } from '../client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { addFilterOptions, type FilterOptions, filterParameters } from '../filters.ts';
import { addWideOption, printAnswer } from '../output/answer.ts';
import { toolsNotes, toolsTable } from '../output/answers/tools.ts';
import { firstLine } from '../output/first-line.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../sharing/showing.ts';

type ToolsOptions = FilterOptions & ShowingOptions & { readonly wide?: true };

/** `pi-ledger tools`: which tools are called, fail, take long or fill windows. */
export const toolsCommand: CliCommand = {
  examples: {
    tools: [['pi-ledger tools --project shop', 'calls, failures and duration of each tool']],
  },
  define(program, terminal, exit) {
    const command = program
      .command('tools')
      .description('show how often tools were called, failed and how long they took')
      .option('--json', 'print JSON')
      .option('--csv', 'print CSV');
    const names = ['project', 'user', 'host'] as const;
    addFilterOptions(addShowingOptions(addWideOption(command)), [], names).action(
      async (options: ToolsOptions) => {
        exit(await showing(options, terminal, (shown) => tools(options, shown)));
      },
    );
  },
};

async function tools(options: ToolsOptions, terminal: Terminal): Promise<ExitCode> {
  const parameters = filterParameters(options, terminal.now());
  return withLedger(terminal, async (client) => {
    const standing = await standingNotes(client, 'timings');
    const notes = [...standing, ...(await unknownNotes(client, options))];
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/tools', parameters));
      complainOf(notes, terminal);
    } else {
      const answer = await client.getAll('/v1/tools', parameters);
      const isEmpty = answer.rows.length === 0 && !options.json;
      const empty = isEmpty ? await whyNoTools(client, parameters, options, terminal) : null;
      const importing = await readImporting(terminal, client);
      const found = { answer, notes, empty, importing, source: client.source };
      const { rows, total } = answer;
      if (options.json)
        terminal.printJson({ rows, total, ...warningTexts(notes), ...importingJson(importing) });
      else print(found, options, terminal);
    }
    return standing.length === 0 ? 0 : 1;
  });
}

async function whyNoTools(
  client: LedgerClient,
  parameters: URLSearchParams,
  options: ToolsOptions,
  terminal: Terminal,
): Promise<string> {
  const query = new URLSearchParams(parameters);
  query.set('limit', '1');
  const { rows } = await client.get('/v1/usage', { query });
  return rows.length > 0 ? 'No tool was called.' : whyEmpty(client, options, terminal);
}

function print(
  { answer: { rows, total }, notes, empty, importing, source }: Found<ToolList>,
  options: ToolsOptions,
  terminal: Terminal,
): void {
  printAnswer(terminal, {
    importing: importingLine(importing, terminal),
    first: firstLine(options, terminal, { what: 'by tool', source }),
    body: [empty ?? toolsTable(rows, total)],
    notes: [...notes, ...(empty === null ? toolsNotes(total) : [])],
    wide: options.wide,
  });
}
