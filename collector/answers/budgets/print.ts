/** Budgets as a table: how much is used of what, and what to expect; and their crossings. */

import { billionths, dollarText } from '@pi-ledger/contract/amounts';
import type {
  Budget,
  BudgetCrossingList,
  BudgetCrossingRow,
  BudgetList,
} from '@pi-ledger/contract/answers';
import type { Terminal } from '../../cli/command.ts';
import { printAnswer, table } from '../../cli/output/answer.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';
import { formatMoment, formatTime } from '../../cli/output/format.ts';
import { shareBar, shareText } from '../../cli/output/share-bar.ts';
import type { Column } from '../../cli/output/table.ts';
import { inFull, type Writing } from '../../cli/output/writing.ts';

export interface BudgetsPrinting {
  readonly wide?: boolean | undefined;
  /** Why the figures may be wrong. */
  readonly warnings: readonly Note[];
}

export function printBudgets(
  { at, rows, leftOut }: BudgetList,
  terminal: Terminal,
  { wide, warnings }: BudgetsPrinting,
): void {
  const isLive = terminal.columns !== null;
  printAnswer(terminal, {
    first: `budgets, ${isLive ? formatMoment(at, { now: terminal.now() }) : formatTime(at)}`,
    body: rows.length === 0 ? noBudget : [budgetsTable(rows)],
    notes: [...warnings, ...leftOut.map((text) => ({ text })), ...budgetsNotes(rows)],
    wide,
  });
}

export function budgetsTable(rows: readonly Budget[]): Table {
  return table({ columns: budgetColumns, rows });
}

export function printCrossings(
  { rows, next }: BudgetCrossingList,
  terminal: Terminal,
  { wide, warnings }: BudgetsPrinting,
): void {
  const more: Note[] = next === null ? [] : [{ text: 'there are older ones: --limit' }];
  printAnswer(terminal, {
    first: 'when budgets came into another state, newest first',
    body:
      rows.length === 0
        ? ['no budget came into another state then']
        : [table({ columns: crossingColumnsOf(rows), rows })],
    notes: [...warnings, ...crossingNotes(rows), ...more],
    wide,
  });
}

const noBudget = [
  'no budget is set',
  'set one in config.json, such as:',
  '  "budgets": [{ "name": "shop", "project": "shop",',
  '    "per": "month", "limit": 200, "in": "metered dollars" }]',
];

function left<Row>(title: string, dropOrder: number, cell: Column<Row>['cell']): Column<Row> {
  return { title, align: 'left', dropOrder, cell };
}

function right<Row>(title: string, dropOrder: number, cell: Column<Row>['cell']): Column<Row> {
  return { title, align: 'right', dropOrder, cell };
}

const budgetColumns: readonly Column<Budget>[] = [
  left('budget', 0, ({ name }) => name),
  left('per', 0, ({ per }) => per),
  right('used', 0, (row, writing) => marked(row, amountText(row.used, row.unit, writing))),
  right('of', 0, ({ limit, unit }, writing) => amountText(limit, unit, writing)),
  left('', 0, ({ unit }) => unitText(unit)),
  right('', 0, ({ usedShare }) => shareText(usedShare)),
  left('', 3, ({ usedShare }) => shareBar(usedShare)),
  left('state', 0, ({ state }) => state ?? 'n/a'),
  right('at its end', 1, forecastText),
  left('between', 4, rangeText),
  left('reached', 1, reachedText),
  left('ends', 2, ({ period }, writing) => writing.day(period?.end ?? null) || 'n/a'),
  left('of whom', 5, scopeText),
];

const crossingColumns: readonly Column<BudgetCrossingRow>[] = [
  left('budget', 0, ({ budget }) => budget),
  left('at', 0, ({ at }, writing) => writing.time(at)),
  left('state', 0, ({ from, to }) => `${from} to ${to}`),
  right('used', 0, (row, writing) => marked(row, amountText(row.used, row.unit, writing))),
  right('of', 0, ({ limit, unit }, writing) => amountText(limit, unit, writing)),
  left('', 0, ({ unit }) => unitText(unit)),
  left('per', 1, ({ per }) => per),
  left('notice', 2, ({ isFirst }) => (isFirst ? 'yes' : '–')),
  left('period', 3, ({ period }, writing) => writing.day(period.start)),
];

const expected: Column<BudgetCrossingRow> = right('at its end', 1, ({ forecast, unit }, writing) =>
  forecast === null ? '' : `~${amountText(forecast.middle, unit, writing)}`,
);

function crossingColumnsOf(
  rows: readonly BudgetCrossingRow[],
): readonly Column<BudgetCrossingRow>[] {
  if (!rows.some(hasForecast)) return crossingColumns;
  return crossingColumns.flatMap((each) => (each.title === 'per' ? [expected, each] : [each]));
}

function hasForecast({ forecast }: Pick<BudgetCrossingRow, 'forecast'>): boolean {
  return forecast !== null;
}

function crossingNotes(rows: readonly BudgetCrossingRow[]): Note[] {
  return [
    ...(rows.some(({ isAtLeast }) => isAtLeast) ? [atLeast] : []),
    ...(rows.some(hasForecast) ? [likeBefore] : []),
  ];
}

type Unit = Budget['unit'];

function marked({ isAtLeast }: { readonly isAtLeast: boolean }, amount: string): string {
  return isAtLeast && amount !== 'n/a' ? `≥ ${amount}` : amount;
}

function amountText(amount: string | null, unit: Unit, writing: Writing): string {
  if (amount === null) return 'n/a';
  if (unit === 'tokens') return writing.count(amount);
  if (unit === 'percent') return shareText(Number(amount) / 100);
  return dollarText(billionths(amount), 2);
}

function unitText(unit: Unit): string {
  if (unit === 'metered dollars') return 'metered';
  if (unit === 'list-price dollars') return 'subscription';
  return unit === 'tokens' ? 'tokens' : 'window';
}

function forecastText({ forecast, unit }: Budget, writing: Writing): string {
  return forecast === null ? 'n/a' : `~${amountText(forecast.middle, unit, writing)}`;
}

function rangeText({ forecast, unit }: Budget, writing: Writing): string {
  if (forecast === null) return '';
  const { low, high } = forecast;
  return `${amountText(low, unit, writing)} and ${amountText(high, unit, writing)}`;
}

function reachedText({ state, fullAt }: Budget, writing: Writing): string {
  if (state === 'over') return 'already';
  return fullAt === null ? '–' : `~${writing.day(fullAt)}`;
}

function scopeText({ project, user, model, provider, label }: Budget): string {
  return (
    [project, user, model, provider, label].filter((each) => each !== null).join(', ') || 'all'
  );
}

const likeBefore: Note = {
  mark: '~',
  text: 'if the days left are like the last 4 of their weekdays: median, lowest, highest',
};

const atLeast: Note = { mark: '≥', text: 'records without a price or billing are left out' };

/** Absent in answers of an older collector. */
function unverifiedNote({ name, unit, unverified = null }: Budget): Note[] {
  if (unverified === null || unverified.records === 0) return [];
  const { used, records } = unverified;
  const amount = `${amountText(used, unit, inFull)}${unit === 'tokens' ? ' tokens' : ''}`;
  const of = `${amount} of ${countOf(records, 'record')}`;
  return [{ text: `${name}: ${of} left out, since no token says that they belong here` }];
}

function raisedNote({ name, raised, unit }: Budget): Note[] {
  if (raised === null) return [];
  const usual = amountText(raised.usualLimit, unit, inFull);
  return [{ text: `${name}: the limit is raised until ${raised.until}, usually ${usual}` }];
}

export function budgetsNotes(rows: readonly Budget[]): Note[] {
  const most = (name: 'unpricedRecords' | 'unknownBillingRecords' | 'unreportedRecords') =>
    Math.max(0, ...rows.map((row) => row[name]));
  const [unpriced, unknown] = [most('unpricedRecords'), most('unknownBillingRecords')];
  const unreported = most('unreportedRecords');
  const unexpected = rows.filter(({ noForecast, per }) => noForecast !== null && !/w$/.test(per));
  const notes: (Note | false)[] = [
    ...rows.flatMap(raisedNote),
    ...rows.flatMap(unverifiedNote),
    rows.some(({ state }) => state === 'over') && {
      text: 'over: since when',
      next: 'pi-ledger budgets crossings',
    },
    unpriced > 0 && {
      mark: '≥',
      text: `up to ${countOf(unpriced, 'record')} without a price`,
      next: 'pi-ledger models --unpriced',
    },
    unknown > 0 && {
      mark: '≥',
      text: `up to ${countOf(unknown, 'record')} whose billing is not known`,
      next: 'pi-ledger billing',
    },
    unreported > 0 && {
      mark: '≥',
      text: `up to ${countOf(unreported, 'record')} reported nothing; their spend is not known`,
    },
    rows.some(({ forecast }) => forecast !== null) && likeBefore,
    unexpected.length > 0 && {
      mark: 'n/a',
      text: `no forecast of ${unexpected[0]?.name}: ${unexpected[0]?.noForecast}`,
    },
    rows.some(({ unit }) => unit === 'list-price dollars') && {
      text: 'subscription: at list price, not billed',
    },
  ];
  return notes.filter((note) => note !== false);
}
