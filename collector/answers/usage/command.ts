import type { Usage, UsageRow } from '@pi-ledger/contract/answers';
import { usageTable } from '@pi-ledger/contract/columns/usage';
import type { Command } from 'commander';
import type { Found } from '../../cli/client/found.ts';
import { importingLine } from '../../cli/client/importing.ts';
import { installNotes } from '../../cli/client/install-notes.ts';
import type { LedgerClient } from '../../cli/client/ledger-client.ts';
import { type ListOptions, showList } from '../../cli/client/show-list.ts';
import { whyEmpty } from '../../cli/client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../../cli/command.ts';
import { addSumOptions, addUsageFilterOptions } from '../../cli/filters.ts';
import { daysAfter, firstDay } from '../../cli/first-day.ts';
import {
  addByOption,
  type ByOption,
  byOf,
  byWords,
  labelColumns,
  labelsOf,
} from '../../cli/groupings.ts';
import { addWideOption, printAnswer, table } from '../../cli/output/answer.ts';
import { tableColumns } from '../../cli/output/answer-columns.ts';
import type { Chart, Note } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import type { Column } from '../../cli/output/table.ts';
import { resolveMoment } from '../../cli/period.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';
import { usageNotes } from '../spend/print.ts';
import { cacheNotes, costPartsTable } from '../spend/print-parts.ts';
import { sumFigures } from '../spend/sum-figures.ts';
import { chartOf } from './print-daily-spend.ts';
import { type KnownByKind, knownByKind } from './print-kinds.ts';

type Line = UsageRow & { readonly labels: readonly string[] };

type ReportOptions = ListOptions & ByOption & ShowingOptions;

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
    addUsageFilterOptions(addReportOptions(command)).action(async (options: ReportOptions) => {
      exit(await showing(options, terminal, (shown) => report(options, shown)));
    });
  },
};

/** What each of these periods begins with, and ends with; undefined: it goes on. */
const periods = {
  today: (today: string) => ({ since: today }),
  yesterday: (today: string) => {
    const day = daysAfter(today, -1);
    return { since: day, until: day };
  },
  week: (today: string) => ({ since: firstDay('week', today) }),
  month: (today: string) => ({ since: firstDay('month', today) }),
} as const;

const periodWords = {
  today: 'show what was spent today, by project, ...',
  yesterday: 'show what was spent yesterday',
  week: 'show what was spent this week, since Monday',
  month: 'show what was spent this month',
} as const;

/** `pi-ledger today`, `yesterday`, `week`, `month`: the report of one period. */
export const periodCommands: CliCommand = {
  examples: {
    today: [['pi-ledger today --by model', 'today by model']],
    yesterday: [['pi-ledger yesterday', 'the day before']],
    week: [['pi-ledger week --by day', 'since Monday, day by day']],
    month: [['pi-ledger month --markdown', 'for a chat']],
  },
  define(program, terminal, exit) {
    for (const name of Object.keys(periods) as (keyof typeof periods)[]) {
      const command: Command = program.command(name).description(periodWords[name]);
      addUsageFilterOptions(addReportOptions(command), { hasPeriod: true }).action(
        async (options: ReportOptions) => {
          const today = resolveMoment('day', 'today', terminal.now(), options.timezone);
          const asked = { ...options, ...periods[name](today) };
          exit(await showing(asked, terminal, (shown) => report(asked, shown)));
        },
      );
    }
  },
};

function addReportOptions(command: Command): Command {
  addSumOptions(command).option('--csv', 'print CSV');
  return addShowingOptions(addWideOption(addByOption(command)));
}

function report(options: ReportOptions, terminal: Terminal): Promise<ExitCode> {
  const by = byOf(options);
  return showList(options, terminal, {
    path: '/v1/usage',
    views: ['sessions'],
    isOfSpend: true,
    parameters: options.csv ? { by } : { by, lastDay: 'include' },
    warnings: smallGroupNotes,
    why: (client) => whyEmpty(client, options, terminal),
    async print(list, { client, parameters }) {
      const found = { ...list, notes: [...list.notes, ...(await installNotes(terminal))] };
      // Whoever is told of large groups only is told neither of kinds nor of days.
      if (found.answer.toldUntil !== undefined) {
        printReport(found, { chart: null, known: knownByKind([]) }, options, terminal);
        return;
      }
      const known = await askKinds(client, parameters);
      const chart = await chartOf(terminal, client, parameters);
      printReport(found, { chart, known }, options, terminal);
    },
  });
}

interface Beside {
  readonly chart: Chart | null;
  readonly known: KnownByKind;
}

async function askKinds(client: LedgerClient, asked: URLSearchParams): Promise<KnownByKind> {
  const parameters = new URLSearchParams(asked);
  parameters.set('by', 'kind');
  parameters.delete('lastDay');
  return knownByKind((await client.getAll('/v1/usage', parameters)).rows);
}

function printReport(
  { answer, notes, empty, importing, source }: Found<Usage>,
  { chart, known }: Beside,
  options: ReportOptions,
  terminal: Terminal,
): void {
  const total: Line = {
    ...answer.total,
    labels: ['total'],
    ...newestOf(answer.rows),
    sessions: answer.rows.reduce((sum, row) => sum + (row.sessions ?? 0), 0),
  };
  const rows: Line[] = answer.rows.map((row) => ({
    ...row,
    labels: labelsOf(answer.by, row),
  }));
  const { cache } = answer.total;
  const parts = cache !== undefined || options.wide ? costPartsTable(answer.total, cache) : null;
  const what = byWords(answer.by, options.timezone);
  printAnswer(terminal, {
    importing: importingLine(importing, terminal),
    first: firstLine(options, terminal, { what, source }),
    body: [
      ...(chart === null ? [] : [chart]),
      empty ??
        table({
          columns: columnsOf(answer, importing !== null),
          rows: withSubtotals(rows),
          totals: [total],
        }),
      ...(parts === null ? [] : ['', parts]),
    ],
    notes: [
      ...notes,
      ...usageNotes(answer.total, known.summaries),
      ...known.notes,
      ...cacheNotes(cache),
    ],
    wide: options.wide,
    timeZone: options.timezone,
  });
}

/** With two groupings, rows stand below the sum of their first: a day's models below the day. */
function withSubtotals(rows: readonly Line[]): readonly Line[] {
  if (rows[0]?.labels.length !== 2) return rows;
  return [...Map.groupBy(rows, ({ labels }) => labels[0] ?? '')].flatMap(([first, own]) => {
    if (own.length === 1) return own;
    const subtotal: Line = { ...sumFigures(own), ...newestOf(own), labels: [first, ''] };
    return [subtotal, ...own.map((row) => ({ ...row, labels: ['', row.labels[1] ?? ''] }))];
  });
}

/** What this token is not told. */
function smallGroupNotes({ toldUntil, leftOutGroups = 0 }: Usage): readonly Note[] {
  if (toldUntil === undefined) return [];
  const months = `${countOf(leftOutGroups, 'month')} of too few users: in no row`;
  const text =
    `this token is told of groups of several users, in whole months, until ${toldUntil} ` +
    `(minimumUsers)${leftOutGroups === 0 ? '' : `; ${months}, and not in the total`}`;
  return [{ is: 'warning', text }];
}

function columnsOf({ by, rows, total }: Usage, isGrowing: boolean): Column<Line>[] {
  const hasLast = rows.some(({ lastDay }) => lastDay !== undefined);
  const without = [
    ...(hasLast ? [] : ['last' as const]),
    ...(by.includes('tree') ? [] : ['sessions' as const]),
  ];
  const figures = tableColumns(usageTable, { rows, total, without, isGrowing, cells: {} });
  return [...labelColumns<Line>(by), ...figures];
}

/** The newest of the rows' last days. */
function newestOf(rows: readonly UsageRow[]): Pick<UsageRow, 'lastDay'> {
  const newest = rows
    .flatMap(({ lastDay = [] }) => lastDay)
    .toSorted()
    .at(-1);
  return newest === undefined ? {} : { lastDay: newest };
}
