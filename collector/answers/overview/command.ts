import type { BillingList, Budget, Usage, UsageRow } from '@pi-ledger/contract/answers';
import { usageTable } from '@pi-ledger/contract/columns/usage';
import { importingJson, importingLine, readImporting } from '../../cli/client/importing.ts';
import { installNotes } from '../../cli/client/install-notes.ts';
import { type LedgerClient, RefusedError, withLedger } from '../../cli/client/ledger-client.ts';
import { leftOutNotes, readLeftOut } from '../../cli/client/left-out.ts';
import { standingNotes, warningTexts } from '../../cli/client/standing.ts';
import { nothingRecorded } from '../../cli/client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../../cli/command.ts';
import { firstDay } from '../../cli/first-day.ts';
import { addWideOption, printAnswer, table } from '../../cli/output/answer.ts';
import { tableColumns } from '../../cli/output/answer-columns.ts';
import type { Note, Part } from '../../cli/output/answer-parts.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { ownLine } from '../../cli/own-line.ts';
import { resolveMoment } from '../../cli/period.ts';
import { budgetsTable } from '../budgets/print.ts';
import { usageNotes } from '../spend/print.ts';
import { sumFigures } from '../spend/sum-figures.ts';

interface OverviewOptions {
  readonly json?: true;
  readonly wide?: true;
}

/**
 * `pi-ledger` alone: today, this week and this month, where it went, which budgets are near, what
 * is not known and how to settle it, and whether a collector runs.
 */
export const overviewCommand: CliCommand = {
  examples: {
    overview: [
      ['pi-ledger', 'the same: today, this week, this month'],
      ['pi-ledger today', 'one of them, by project'],
    ],
  },
  define(program, terminal, exit) {
    const command = program
      .command('overview')
      .description('show today, this week and this month (what pi-ledger alone does)')
      .option('--json', 'print JSON');
    addWideOption(command).action(async (options: OverviewOptions) => {
      exit(await overview(options, terminal));
    });
  },
};

const projectsShown = 5;

async function overview(options: OverviewOptions, terminal: Terminal): Promise<ExitCode> {
  return withLedger(terminal, async (client) => {
    const standing = await standingNotes(client);
    const found = await askAll(client, terminal);
    const importing = await readImporting(terminal, client);
    if (options.json)
      terminal.printJson({ ...found, ...warningTexts(standing), ...importingJson(importing) });
    else {
      const nothing = await nothingRecorded(client, terminal);
      const leftOut = leftOutNotes(await readLeftOut(terminal, client));
      const install = await installNotes(terminal);
      printAnswer(terminal, {
        importing: importingLine(importing, terminal),
        first: firstLine({ since: 'today' }, terminal, { source: client.source }),
        body: [
          ...(nothing === null ? partsOf(found, importing !== null) : [nothing]),
          '',
          collectorText(client, terminal),
        ],
        notes: [
          ...standing,
          ...install,
          ...(nothing === null ? [...leftOut, ...notesOn(found)] : []),
        ],
        wide: options.wide,
      });
    }
    return standing.length === 0 ? 0 : 1;
  });
}

type Total = Usage['total'];
type Line = Total & Pick<UsageRow, 'lastDay'> & { readonly name: string };

interface Found {
  readonly today: Total;
  readonly week: Total;
  readonly month: Total;
  readonly allTime: Total;
  /** Those that spent most this month, or ever where this month has nothing. */
  readonly projects: readonly UsageRow[];
  /** What these projects are the first of. */
  readonly projectsOf: 'month' | 'allTime';
  /** Over their limit, near it, or likely to pass it. */
  readonly budgets: readonly Budget[];
  /** Providers with spend of which nobody said how it is paid. */
  readonly billing: BillingList['rows'];
}

async function askAll(client: LedgerClient, terminal: Terminal): Promise<Found> {
  const today = resolveMoment('day', 'today', terminal.now());
  const [week, month] = [firstDay('week', today), firstDay('month', today)];
  const [since = month] = [week, month].sort();
  const days = await client.getAll('/v1/usage', new URLSearchParams({ by: 'day', since }));
  const from = (day: string) =>
    sumFigures(days.rows.filter((row) => typeof row.day === 'string' && row.day >= day));
  const projects = (period: Readonly<Record<string, string>>) =>
    client.get('/v1/usage', {
      query: new URLSearchParams({ by: 'project', limit: String(projectsShown), ...period }),
    });
  const [ofMonth, ever] = [await projects({ since: month }), await projects({})];
  const isQuiet = ofMonth.rows.length === 0;
  return {
    ...{ today: from(today), week: from(week), month: ofMonth.total, allTime: ever.total },
    projects: (isQuiet ? ever : ofMonth).rows,
    projectsOf: isQuiet ? 'allTime' : 'month',
    budgets: (await client.get('/v1/budgets')).rows.filter(isNear),
    billing: await askBilling(client),
  };
}

/** Whoever may not say it is not asked. */
async function askBilling(client: LedgerClient): Promise<BillingList['rows']> {
  try {
    const { rows } = await client.get('/v1/billing');
    return rows.filter(({ unknownBillingNanoUsd }) => unknownBillingNanoUsd !== '0');
  } catch (error) {
    if (error instanceof RefusedError && [403, 404].includes(error.status)) return [];
    throw error;
  }
}

function isNear({ state, limit, forecast }: Budget): boolean {
  if (state === 'warning' || state === 'over') return true;
  return forecast !== null && Number(forecast.high) > Number(limit);
}

function partsOf(found: Found, isGrowing: boolean): readonly Part[] {
  const { projects, projectsOf, allTime } = found;
  const periods: readonly Line[] = [
    { name: 'today', ...found.today },
    { name: 'this week', ...found.week },
    { name: 'this month', ...found.month },
    { name: 'all time', ...allTime },
  ];
  const named = projects.map((row): Line => ({ ...row, name: row.project ?? '(unknown)' }));
  return [
    tableOf('', periods, allTime, isGrowing),
    { heading: projectsOf === 'month' ? 'this month' : 'all time' },
    tableOf('project', named, found[projectsOf], isGrowing),
    ...(found.budgets.length === 0
      ? []
      : [{ heading: 'budgets near their limit' }, budgetsTable(found.budgets)]),
  ];
}

const without = ['last', 'sessions', 'records', 'input', 'read', 'write', 'reasoning'] as const;

function tableOf(title: string, rows: readonly Line[], total: Total, isGrowing: boolean): Part {
  const figures = tableColumns(usageTable, { rows, total, without, isGrowing, cells: {} });
  const name = { title, align: 'left', dropOrder: 0, cell: ({ name }: Line) => name } as const;
  return table({ columns: [name, ...figures], rows });
}

function notesOn({ allTime, billing }: Found): readonly Note[] {
  const [open] = billing;
  const notes = usageNotes(allTime).filter(({ next }) => next !== 'pi-ledger billing');
  if (open?.provider == null) return notes;
  const { length } = billing;
  const who = length === 1 ? `is ${open.provider}` : `are ${open.provider} and ${length - 1} more`;
  const text = `how ${who} paid, by use or by a plan?`;
  return [{ text, next: 'pi-ledger billing' }, ...notes];
}

function collectorText({ collector }: LedgerClient, terminal: Terminal): string {
  return collector === null
    ? `no collector runs; the page needs one: ${ownLine(terminal, 'start')}`
    : `the page: ${collector}/`;
}
