import type { LeftOut, Usage, UsageRow } from '@pi-ledger/contract/answers';
import type { Command } from 'commander';
import type { Found } from '../client/found.ts';
import { importingJson, importingLine, readImporting } from '../client/importing.ts';
import { withLedger } from '../client/ledger-client.ts';
import { leftOutNotes, readLeftOut } from '../client/left-out.ts';
import { complainOf, standingNotes, warningTexts } from '../client/standing.ts';
import { unknownNotes } from '../client/unknown-names.ts';
import { whyEmpty } from '../client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import {
  addSumOptions,
  addUsageFilterOptions,
  type FilterOptions,
  filterParameters,
} from '../filters.ts';
import { addByOption, type ByOption, byOf, labelColumns, labelsOf, titleOf } from '../groupings.ts';
import { addWideOption, type Chart, type Note, printAnswer, table } from '../output/answer.ts';
import { cacheNotes, costPartsTable } from '../output/answers/cost-parts.ts';
import { firstLine } from '../output/first-line.ts';
import type { Column } from '../output/table.ts';
import { countColumn, countOf, usageColumns, usageNotes } from '../output/usage-table.ts';
import { addShowingOptions, chartOf, type ShowingOptions, showing } from '../sharing/showing.ts';

type Line = UsageRow & { readonly labels: readonly string[] };

type ReportOptions = FilterOptions & ByOption & ShowingOptions & { readonly wide?: true };

/** `pi-ledger report`: what was spent, grouped by project or anything else. */
export const reportCommand: CliCommand = {
  examples: {
    report: [
      ['pi-ledger report --since 7d', 'the last week by project'],
      ['pi-ledger report --by day --since 30d --project shop', 'a project, day by day'],
      ['pi-ledger report --by model --csv > models.csv', 'for a spreadsheet'],
      ['pi-ledger report --watch', 'again and again, as it grows'],
      ['pi-ledger report --since 7d --markdown', 'for an issue or a chat'],
      ['pi-ledger report --since 30d --html report.html', 'with a chart, for a browser or a mail'],
    ],
  },
  define(program, terminal, exit) {
    const command: Command = program
      .command('report')
      .description('show what was spent, by project, model, day, ...');
    addSumOptions(command).option('--csv', 'print CSV');
    addUsageFilterOptions(addShowingOptions(addWideOption(addByOption(command)))).action(
      async (options: ReportOptions) => {
        exit(await showing(options, terminal, (shown) => report(options, shown)));
      },
    );
  },
};

async function report(options: ReportOptions, terminal: Terminal): Promise<ExitCode> {
  const parameters = filterParameters(options, terminal.now());
  parameters.set('by', byOf(options));
  if (options.csv === undefined) parameters.set('lastDay', 'include');
  return withLedger(terminal, async (client) => {
    const notes = await standingNotes(client);
    const code = notes.length > 0 ? 1 : 0;
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/usage', parameters));
      complainOf([...notes, ...(await unknownNotes(client, options))], terminal);
      return code;
    }
    const answer = await client.getAll('/v1/usage', parameters);
    const leftOut = await readLeftOut(terminal, client);
    const isEmpty = answer.rows.length === 0;
    const few = smallGroupNotes(answer);
    const isTold = few.length > 0 || options.json === true;
    const empty = isEmpty && !isTold ? await whyEmpty(client, options, terminal) : null;
    const importing = await readImporting(terminal, client);
    const all = [...notes, ...(await unknownNotes(client, options)), ...few];
    const chart = await chartOf(terminal, client, parameters);
    const found = { answer, chart, leftOut, notes: all, empty, importing, source: client.source };
    if (options.json) terminal.printJson(jsonOf(found));
    else printReport(found, options, terminal);
    return code;
  });
}

interface Report extends Found<Usage> {
  readonly chart: Chart | null;
  readonly leftOut: LeftOut;
}

function jsonOf({ answer: { by, rows, total }, leftOut, notes, importing }: Report): object {
  return {
    ...{ by, rows, total, leftOut },
    ...warningTexts(notes),
    ...importingJson(importing),
  };
}

function printReport(
  { answer, chart, leftOut, notes, empty, importing, source }: Report,
  options: ReportOptions,
  terminal: Terminal,
): void {
  const total: Line = {
    ...answer.total,
    labels: ['total'],
    ...newestOf(answer.rows),
    sessions: answer.rows.reduce((sum, row) => sum + (row.sessions ?? 0), 0),
  };
  const rows: Line[] = answer.rows.map((row) => ({ ...row, labels: labelsOf(answer.by, row) }));
  const { cache } = answer.total;
  const parts = cache !== undefined || options.wide ? costPartsTable(answer.total, cache) : null;
  const what = `by ${answer.by.map(titleOf).join(', ')}`;
  printAnswer(terminal, {
    importing: importingLine(importing, terminal),
    first: firstLine(options, terminal, { what, source }),
    body: [
      ...(chart === null ? [] : [chart]),
      empty ?? table({ columns: columnsOf(answer, importing !== null), rows, totals: [total] }),
      ...(parts === null ? [] : ['', parts]),
    ],
    notes: [...notes, ...leftOutNotes(leftOut), ...usageNotes(answer.total), ...cacheNotes(cache)],
    wide: options.wide,
    timeZone: options.timezone,
  });
}

/** What this token is not told. */
function smallGroupNotes({ leftOutGroups = 0 }: Usage): readonly Note[] {
  if (leftOutGroups === 0) return [];
  const text =
    `${countOf(leftOutGroups, 'sum')} of too few users for this token: in no row and not in the ` +
    'total (minimumUsers)';
  return [{ is: 'warning', text }];
}

function columnsOf({ by, rows, total }: Usage, isGrowing: boolean): Column<Line>[] {
  const hasLast = rows.some(({ lastDay }) => lastDay !== undefined);
  const sessions = countColumn<Line>('sessions', 3, (line) => line.sessions ?? 0);
  const last: Column<Line> = {
    title: 'last',
    align: 'right',
    dropOrder: 1,
    cell: ({ lastDay }, { calendarDay }) => (lastDay === undefined ? '' : calendarDay(lastDay)),
  };
  const others = [...(hasLast ? [last] : []), ...(by.includes('tree') ? [sessions] : [])];
  return [...labelColumns<Line>(by), ...usageColumns<Line>(total, { isGrowing, others })];
}

/** The newest of the rows' last days. */
function newestOf(rows: readonly UsageRow[]): Pick<UsageRow, 'lastDay'> {
  const newest = rows
    .flatMap(({ lastDay = [] }) => lastDay)
    .toSorted()
    .at(-1);
  return newest === undefined ? {} : { lastDay: newest };
}
