/** A repricing as a table: recorded amounts, repriced amounts, and what both leave out. */

import { dollarText, placesFor } from '@pi-ledger/contract/amounts';
import type { MissingPrice, Repriced, RepricedFigures } from '@pi-ledger/contract/answers';
import type { Terminal } from '../../cli/command.ts';
import { labelColumns, labelsOf } from '../../cli/groupings.ts';
import { printAnswer, table } from '../../cli/output/answer.ts';
import type { Answer, Note } from '../../cli/output/answer-parts.ts';
import { countColumn, countOf } from '../../cli/output/counts.ts';
import { signed } from '../../cli/output/format.ts';
import type { Column } from '../../cli/output/table.ts';

type Line = RepricedFigures & { readonly labels: readonly string[] };

const reasons: Readonly<Record<MissingPrice['reason'], string>> = {
  not_in_catalogue: 'not in the price list',
  no_price: 'no price in the list',
  zero_price: 'a price of 0, which means unknown',
  unknown_tier: 'an unknown kind of tier',
  part_missing: 'no price for some of their tokens, cache for example',
};

/** Beyond this, only their number. */
const missingMax = 20;

interface RepricedShown extends Pick<Answer, 'first' | 'wide'> {
  /** Said if there are no rows. */
  readonly empty: string;
}

export function printRepriced(
  answer: Repriced,
  catalogue: string,
  terminal: Terminal,
  { empty, ...shown }: RepricedShown,
): void {
  if (answer.rows.length === 0) {
    const { sealedRecords } = answer;
    const notes = sealedRecords === 0 ? [] : [sealedNote(sealedRecords)];
    printAnswer(terminal, { ...shown, body: [empty], notes });
    return;
  }
  const rows = answer.rows.map((row) => ({ ...row, labels: labelsOf(answer.by, row) }));
  const totals = answer.totals.map((total) => ({ ...total, labels: ['total'] }));
  const missing = missingLines(answer.missing);
  printAnswer(terminal, {
    ...shown,
    body: [
      table({ columns: columnsOf(answer), rows, totals }),
      ...(missing.length === 0 ? [] : ['', `without a price in ${catalogue}:`, ...missing]),
    ],
    notes: notesOf(answer, catalogue),
  });
}

function columnsOf({ by, totals }: Repriced): Column<Line>[] {
  const amounts = totals.flatMap(({ recordedNanoUsd, repricedNanoUsd }) => [
    BigInt(recordedNanoUsd),
    BigInt(repricedNanoUsd),
  ]);
  const decimals = Math.min(...amounts.map(placesFor));
  const amount = (title: string, cell: (line: Line) => string): Column<Line> => ({
    title,
    align: 'right',
    dropOrder: 0,
    cell,
  });
  return [
    ...labelColumns<Line>(by),
    { title: 'billing', align: 'left', dropOrder: 0, cell: (line) => line.billing },
    amount('recorded', (line) =>
      amountText(
        line.recordedNanoUsd,
        line.records - line.unpricedRecords - line.unreportedRecords,
        line.unpricedRecords,
        decimals,
      ),
    ),
    amount('repriced', (line) =>
      amountText(line.repricedNanoUsd, line.repricedRecords, line.leftOutRecords, decimals),
    ),
    amount('difference', (line) => differenceText(line, decimals)),
    countColumn('left out', 1, (line) => line.leftOutRecords),
    countColumn('records', 2, (line) => line.records),
    countColumn('output', 3, (line) => line.outputTokens),
    countColumn('input', 4, (line) => line.inputTokens),
    countColumn('cache read', 5, (line) => line.cacheReadTokens),
    countColumn('cache write', 6, (line) => line.cacheWriteTokens),
  ];
}

/** Without a priced record the amount is n/a, never $0. */
function amountText(
  nanoUsd: string,
  pricedRecords: number,
  leftOutRecords: number,
  decimals: number,
): string {
  if (pricedRecords === 0) return 'n/a';
  return `${leftOutRecords > 0 ? '≥ ' : ''}${dollarText(BigInt(nanoUsd), decimals)}`;
}

function differenceText(
  { differenceNanoUsd, comparedRecords }: RepricedFigures,
  decimals: number,
): string {
  return comparedRecords === 0 ? 'n/a' : signed(BigInt(differenceNanoUsd), decimals);
}

function notesOf({ totals, rowsLeftOut, sealedRecords }: Repriced, catalogue: string): Note[] {
  const sum = (field: 'leftOutRecords' | 'unpricedRecords' | 'unreportedRecords') =>
    totals.reduce((all, each) => all + each[field], 0);
  const [leftOut, unpriced, unreported] = [
    sum('leftOutRecords'),
    sum('unpricedRecords'),
    sum('unreportedRecords'),
  ];
  const notes: Note[] = [];
  if (leftOut > 0)
    notes.push({
      mark: '≥',
      text: `repriced: ${countOf(leftOut, 'record')} without a price there`,
    });
  if (unpriced > 0)
    notes.push({ mark: '≥', text: `recorded: ${countOf(unpriced, 'record')} without a price` });
  if (unreported > 0)
    notes.push({
      text: `${countOf(unreported, 'record')} reported nothing; the cost is not known`,
    });
  if (sealedRecords > 0) notes.push(sealedNote(sealedRecords));
  if (rowsLeftOut > 0)
    notes.push({ text: `${countOf(rowsLeftOut, 'more row')}: narrow the period or change --by` });
  notes.push({ text: `recorded amounts do not change; ${catalogue} is compared where both exist` });
  if (totals.some(({ billing }) => billing === 'subscription'))
    notes.push({ text: 'subscription: at list price, not billed' });
  return notes;
}

function sealedNote(records: number): Note {
  const gone = countOf(records, 'record');
  return { is: 'warning', text: `${gone} left out: their events were sealed` };
}

function missingLines(missing: readonly MissingPrice[]): string[] {
  const lines = missing.slice(0, missingMax).map(({ provider, model, records, reason }) => {
    const name = [provider, model].map((part) => (part === '' ? '(unknown)' : part)).join('/');
    return `  ${name}: ${countOf(records, 'record')}, ${reasons[reason] ?? reason}`;
  });
  const left = missing.length - missingMax;
  return left <= 0 ? lines : [...lines, `  and ${countOf(left, 'more model')}: --json lists all`];
}
