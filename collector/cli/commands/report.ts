import type { Usage, UsageRow } from '@pi-ledger/contract/answers';
import { type Grouping, groupings } from '@pi-ledger/contract/groupings';
import { type Command, Option } from 'commander';
import { withLedger } from '../client/ledger-client.ts';
import { type LeftOut, leftOutNotes, readLeftOut } from '../client/left-out.ts';
import { standingNotes } from '../client/standing.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { addFilterOptions, type FilterOptions, filterParameters } from '../filters.ts';
import { formatCount } from '../output/format.ts';
import { type Column, printTable } from '../output/table.ts';
import { nothingRecorded, usageColumns, usageFootnotes } from '../output/usage-table.ts';

type Line = UsageRow & { readonly label: string };

type ReportOptions = FilterOptions & {
  readonly by: Grouping;
  readonly json?: true;
  readonly csv?: true;
};

/** `pi-ledger report`: what was spent, grouped by project or anything else. */
export const reportCommand: CliCommand = {
  define(program, terminal, exit) {
    const command: Command = program
      .command('report')
      .description('show what was spent, by project, model, day, ...')
      .addOption(new Option('--by <what>', 'group by').choices(groupings).default('project'))
      .option(
        '--timezone <name>',
        "count everybody's days in this zone (Europe/Berlin), not in each spender's own",
      )
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
  return withLedger(terminal, async (client) => {
    const notes = await standingNotes(client);
    const code = notes.length > 0 ? 1 : 0;
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/usage', parameters));
      for (const note of notes) terminal.complain(note);
      return code;
    }
    const answer = await client.getAll('/v1/usage', parameters);
    const leftOut = await readLeftOut(terminal, client);
    if (options.json) terminal.printJson(jsonOf(answer, leftOut, notes));
    else printReport(answer, leftOut, notes, terminal);
    return code;
  });
}

function jsonOf({ by, rows, total }: Usage, leftOut: LeftOut, notes: readonly string[]): object {
  return { by, rows, total, leftOut, ...(notes.length === 0 ? {} : { notes }) };
}

function printReport(
  answer: Usage,
  leftOut: LeftOut,
  notes: readonly string[],
  terminal: Terminal,
): void {
  printUsage(answer, leftOut, terminal);
  for (const note of notes) terminal.print(note);
}

function printUsage(answer: Usage, leftOut: LeftOut, terminal: Terminal): void {
  if (answer.rows.length === 0) {
    for (const line of [nothingRecorded, ...leftOutNotes(leftOut)]) terminal.print(line);
    return;
  }
  const total: Line = {
    ...answer.total,
    label: 'total',
    sessions: answer.rows.reduce((sum, row) => sum + (row.sessions ?? 0), 0),
  };
  const rows: Line[] = answer.rows.map((row) => ({ ...row, label: row[answer.by] ?? '(unknown)' }));
  printTable(terminal, columnsOf(answer), rows, [total]);
  for (const note of [...usageFootnotes(answer.total), ...leftOutNotes(leftOut)]) {
    terminal.print(note);
  }
}

function columnsOf({ by, total }: Usage): Column<Line>[] {
  const sessions: Column<Line> = {
    title: 'sessions',
    align: 'right',
    dropOrder: 3,
    cell: ({ sessions: count = 0 }) => formatCount(count),
  };
  return [
    { title: by, align: 'left', dropOrder: 0, cell: (line) => line.label },
    ...(by === 'tree' ? [sessions] : []),
    ...usageColumns<Line>(total),
  ];
}
