/** `pi-ledger models` as a table. */

import { dollarText, placesFor } from '@pi-ledger/contract/amounts';
import type { ModelFigures, ModelList, ModelRow } from '@pi-ledger/contract/answers';
import { table } from '../../cli/output/answer.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { countColumn, countOf } from '../../cli/output/counts.ts';
import type { Column } from '../../cli/output/table.ts';
import { amountColumns, cacheColumn, totalTokens, usageNotes } from '../spend/print.ts';
import { percentileColumn, percentilesNote } from '../timings/print-percentiles.ts';

type Line = ModelFigures & { readonly label: string; readonly provider: string };

export function modelsTable({ rows, total }: ModelList): Table {
  const lines = rows.map(lineOf);
  const totals = [{ ...total, label: 'total', provider: '' }];
  return table({ columns: columnsOf(total), rows: lines, totals });
}

export function modelsNotes({ total }: ModelList): readonly Note[] {
  return [...(total.timedAnswers > 0 ? [percentilesNote] : []), ...usageNotes(total)];
}

/** Models that have records without a price, and how many. */
export function unpricedTable({ rows }: ModelList): Table {
  const columns: readonly Column<Line>[] = [
    nameColumn,
    providerColumn(0),
    countColumn('without a price', 0, (line) => line.unpricedRecords),
    countColumn('records', 1, (line) => line.records),
    countColumn('tokens', 2, totalTokens),
  ];
  return table({ columns, rows: rows.map(lineOf) });
}

export const unpricedNotes: readonly Note[] = [
  { text: "hosts price answers: set the model's cost in pi's models.json or omp's models.yml" },
  { text: 'what is recorded stays as it is; at other prices', next: 'pi-ledger reprice' },
];

function lineOf(row: ModelRow): Line {
  return { ...row, label: row.model ?? '(unknown)', provider: row.provider ?? '(unknown)' };
}

const nameColumn: Column<Line> = {
  title: 'model',
  align: 'left',
  dropOrder: 0,
  cell: ({ label }) => label,
};

function columnsOf(total: ModelFigures): readonly Column<Line>[] {
  return [
    nameColumn,
    ...amountColumns<Line>(total),
    countColumn('answers', 1, (line) => line.answers),
    percentileColumn('p50', 0, (line) => line.durationP50),
    percentileColumn('p95', 0, (line) => line.durationP95),
    percentileColumn('first', 3, (line) => line.firstP50),
    cacheColumn<Line>(4),
    { title: 'errors', align: 'right', dropOrder: 2, cell: errorsText },
    providerColumn(5),
    { title: 'tokens/s', align: 'right', dropOrder: 6, cell: speedText },
    {
      title: 'retries',
      align: 'right',
      dropOrder: 7,
      cell: ({ retries }, { count }) => (retries === null ? 'n/a' : count(retries)),
    },
    statusColumn('failed by status', 8, ({ failedAnswers }) => failedAnswers),
    statusColumn('HTTP errors', 9, ({ errorResponses }) => errorResponses),
    ...costColumns(total),
    countColumn('tokens', 12, totalTokens),
  ];
}

function providerColumn(dropOrder: number): Column<Line> {
  return { title: 'provider', align: 'left', dropOrder, cell: ({ provider }) => provider };
}

/** `1.9 %`; a dash without answers. */
export function errorsText({
  answers,
  failedAnswers,
}: Pick<ModelFigures, 'answers' | 'failedAnswers'>): string {
  return answers === 0 ? '–' : `${((failedAnswers / answers) * 100).toFixed(1)} %`;
}

export function speedText({
  outputTokensPerSecond,
}: Pick<ModelFigures, 'outputTokensPerSecond'>): string {
  return outputTokensPerSecond === null ? 'n/a' : outputTokensPerSecond.toFixed(1);
}

type Counted = (status: ModelFigures['statuses'][number]) => number;

/**
 * `529 ×3, unknown ×1`. An answer fails once, with an entry in the session's file; the host may
 * have had several responses with errors for it, or for one that came in the end.
 */
function statusColumn(title: string, dropOrder: number, countIn: Counted): Column<Line> {
  const cell = ({ statuses }: Line): string =>
    statuses
      .filter((status) => countIn(status) > 0)
      .map((status) => `${status.status ?? 'unknown'} ×${countIn(status)}`)
      .join(', ');
  return { title, align: 'left', dropOrder, cell };
}

const costs = [
  { title: 'metered/1k out', field: 'meteredNanoUsd' },
  { title: 'subscription/1k out', field: 'subscriptionNanoUsd' },
  { title: 'unknown/1k out', field: 'unknownBillingNanoUsd' },
] as const;

function costColumns({ costPer1kOutput }: ModelFigures): readonly Column<Line>[] {
  return costs
    .filter(({ field }) => costPer1kOutput[field] !== null)
    .map(({ title, field }, index) => ({
      title,
      align: 'right',
      dropOrder: 9 + index,
      cell: (line) => costText(line.costPer1kOutput[field]),
    }));
}

function costText(nanoUsd: string | null): string {
  return nanoUsd === null ? '–' : dollarText(BigInt(nanoUsd), placesFor(BigInt(nanoUsd)));
}

/** `2 models`. */
export function modelsText({ rows }: ModelList): string {
  return countOf(rows.length, 'model');
}
