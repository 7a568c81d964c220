/** A repricing as a table: recorded amounts, repriced amounts, and what both leave out. */
import type { MissingPrice, Repriced, RepricedFigures } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import { decimalsFor, formatCount, formatNanoUsd } from './format.ts';
import { type Column, printTable } from './table.ts';
import { countOf, nothingRecorded } from './usage-table.ts';

type Line = RepricedFigures & { readonly label: string };

const reasons: Readonly<Record<MissingPrice['reason'], string>> = {
  not_in_catalogue: 'not in the price list',
  no_price: 'no price in the list',
  zero_price: 'a price of 0, which means unknown',
  unknown_tier: 'an unknown kind of tier',
  part_missing: 'no price for some of their tokens, cache for example',
};

/** Beyond this, only their number. */
const missingMax = 20;

export function printRepriced(answer: Repriced, catalogue: string, terminal: Terminal): void {
  if (answer.rows.length === 0) {
    terminal.print(answer.sealedRecords === 0 ? nothingRecorded : sealedNote(answer.sealedRecords));
    return;
  }
  const rows = answer.rows.map((row) => ({ ...row, label: row[answer.by] ?? '(unknown)' }));
  const totals = answer.totals.map((total) => ({ ...total, label: 'total' }));
  printTable(terminal, columnsOf(answer), rows, totals);
  for (const note of notesOf(answer, catalogue)) terminal.print(note);
}

function columnsOf({ by, totals }: Repriced): Column<Line>[] {
  const amounts = totals.flatMap(({ recordedNanoUsd, repricedNanoUsd }) => [
    BigInt(recordedNanoUsd),
    BigInt(repricedNanoUsd),
  ]);
  const decimals = Math.min(...amounts.map(decimalsFor));
  const count = (
    title: string,
    dropOrder: number,
    cell: (line: Line) => number | string,
  ): Column<Line> => {
    return { title, align: 'right', dropOrder, cell: (line) => formatCount(cell(line)) };
  };
  const amount = (title: string, cell: (line: Line) => string): Column<Line> => ({
    title,
    align: 'right',
    dropOrder: 0,
    cell,
  });
  return [
    { title: by, align: 'left', dropOrder: 0, cell: (line) => line.label },
    { title: 'billing', align: 'left', dropOrder: 0, cell: (line) => line.billing },
    count('records', 2, (line) => line.records),
    count('input', 4, (line) => line.inputTokens),
    count('output', 3, (line) => line.outputTokens),
    count('cache read', 5, (line) => line.cacheReadTokens),
    count('cache write', 6, (line) => line.cacheWriteTokens),
    amount('recorded', (line) =>
      amountText(
        line.recordedNanoUsd,
        line.records - line.unpricedRecords - line.unreportedRecords,
        decimals,
      ),
    ),
    amount('repriced', (line) => amountText(line.repricedNanoUsd, line.repricedRecords, decimals)),
    amount('difference', (line) => differenceText(line, decimals)),
    count('left out', 1, (line) => line.leftOutRecords),
  ];
}

/** Without a priced record the amount is n/a, never $0. */
function amountText(nanoUsd: string, pricedRecords: number, decimals: number): string {
  return pricedRecords === 0 ? 'n/a' : formatNanoUsd(BigInt(nanoUsd), decimals);
}

function differenceText(
  { differenceNanoUsd, comparedRecords }: RepricedFigures,
  decimals: number,
): string {
  const text = amountText(differenceNanoUsd, comparedRecords, decimals);
  return comparedRecords > 0 && BigInt(differenceNanoUsd) > 0n ? `+${text}` : text;
}

function notesOf(
  { totals, missing, rowsLeftOut, sealedRecords }: Repriced,
  catalogue: string,
): string[] {
  const sum = (field: 'leftOutRecords' | 'unpricedRecords' | 'unreportedRecords') =>
    totals.reduce((all, each) => all + each[field], 0);
  const [leftOut, unpriced, unreported] = [
    sum('leftOutRecords'),
    sum('unpricedRecords'),
    sum('unreportedRecords'),
  ];
  const notes = [
    `What the same tokens would have cost under ${catalogue}; recorded amounts do not change. ` +
      'The difference covers records with both prices.',
  ];
  if (totals.length > 1 || totals[0]?.billing === 'subscription') {
    notes.push(
      'Subscription amounts are list-price equivalents, not a bill, and are never added to ' +
        'metered ones.',
    );
  }
  if (leftOut > 0)
    notes.push(
      `${countOf(leftOut, 'record')} without a price in ${catalogue} (n/a): not in "repriced".`,
      ...missingLines(missing),
    );
  if (unpriced > 0)
    notes.push(`${countOf(unpriced, 'record')} recorded without a price (n/a): not in "recorded".`);
  if (unreported > 0)
    notes.push(
      `${countOf(unreported, 'attempt')} failed or aborted without reporting usage: ` +
        'cost unknown (not $0), not in the amounts.',
    );
  if (sealedRecords > 0) notes.push(sealedNote(sealedRecords));
  if (rowsLeftOut > 0)
    notes.push(`${countOf(rowsLeftOut, 'more row')}: narrow the period or change --by.`);
  return notes;
}

function sealedNote(records: number): string {
  return `${countOf(records, 'record')} left out: their events were deleted by pi-ledger seal.`;
}

function missingLines(missing: readonly MissingPrice[]): string[] {
  const lines = missing.slice(0, missingMax).map(({ provider, model, records, reason }) => {
    const name = [provider, model].map((part) => (part === '' ? '(unknown)' : part)).join('/');
    return `  ${name}: ${countOf(records, 'record')}, ${reasons[reason] ?? reason}`;
  });
  const left = missing.length - missingMax;
  return left <= 0 ? lines : [...lines, `  and ${countOf(left, 'more model')}: --json lists all`];
}
