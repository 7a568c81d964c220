import { type Command, Option } from 'commander';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { addFilterOptions, type FilterOptions, filterParameters } from '../filters.ts';
import { openLedgerClient } from '../ledger-client.ts';
import { renderTable } from '../table.ts';
import { type UsageFigures, usageColumns, usageFootnotes } from '../usage-table.ts';

const groupings = ['project', 'branch', 'model', 'provider', 'user', 'machine', 'host', 'session', 'kind', 'day', 'week', 'month'] as const;
type Grouping = (typeof groupings)[number];

type ReportRow = UsageFigures & { readonly [grouping in Grouping]?: string | null };

interface Report {
  readonly by: Grouping;
  readonly rows: readonly ReportRow[];
  readonly total: UsageFigures;
}

type ReportOptions = FilterOptions & { readonly by: Grouping; readonly json?: true; readonly csv?: true };

/** `pi-ledger report`: what was spent, by project or anything else. */
export const reportCommand: CliCommand = {
  define(program, terminal, exit) {
    const command: Command = program
      .command('report')
      .description('what was spent, by project, model, day, ...')
      .addOption(new Option('--by <what>', 'group by').choices(groupings).default('project'))
      .option('--json', 'print JSON (amounts are decimal strings of 10^-9 USD)')
      .option('--csv', 'print CSV');
    addFilterOptions(command).action(async (options: ReportOptions) => {
      exit(await report(options, terminal));
    });
  },
};

async function report(options: ReportOptions, terminal: Terminal): Promise<ExitCode> {
  const parameters = filterParameters(options, terminal.now());
  parameters.set('by', options.by);
  const client = await openLedgerClient(terminal);
  try {
    if (options.csv) {
      parameters.set('format', 'csv');
      terminal.print((await client.getText(`/v1/usage?${parameters}`)).trimEnd());
      return 0;
    }
    const answer = (await client.getAll(`/v1/usage?${parameters}`)) as Report;
    if (options.json) {
      terminal.print(JSON.stringify({ by: answer.by, rows: answer.rows, total: answer.total }, null, 2));
    } else {
      printTable(answer, terminal);
    }
    return 0;
  } finally {
    await client.close();
  }
}

function printTable(answer: Report, terminal: Terminal): void {
  if (answer.rows.length === 0) {
    terminal.print('Nothing is recorded for this yet. `pi-ledger doctor` says whether the extension is installed and what waits.');
    return;
  }
  const label = {
    title: answer.by,
    align: 'left' as const,
    dropOrder: 0,
    cell: (row: ReportRow | (UsageFigures & { label: string })) => ('label' in row ? row.label : (row[answer.by] ?? '(unknown)')),
  };
  const total = { ...answer.total, label: 'total' };
  const columns = [label, ...usageColumns<ReportRow | (UsageFigures & { label: string })>(answer.total)];
  const style = { width: terminal.columns, colour: terminal.colour };
  for (const line of renderTable(columns, answer.rows, total, style)) {
    terminal.print(line);
  }
  for (const note of usageFootnotes(answer.total)) {
    terminal.print(note);
  }
}
