/**
 * A repricing as a table for people: what was recorded, what it would have cost, and what neither
 * says anything of.
 */
import type { MissingPrice, Repriced, RepricedFigures } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import { decimalsFor, formatCount, formatNanoUsd } from './format.ts';
import { type Column, renderTotalled } from './table.ts';
import { countOf, nothingRecorded } from './usage-table.ts';

type Line = RepricedFigures & { readonly label: string };

const reasons: Readonly<Record<MissingPrice['reason'], string>> = {
  not_in_catalogue: 'not in the catalogue',
  no_price: 'no price in the catalogue',
  zero_price: 'a price of 0, which means that it is not known',
  unknown_tier: 'a tier of a kind that is not known here',
  part_missing: 'no price for a part of them (cache, say)',
};

/** Of more, only how many they are. */
const missingMax = 20;

export function printRepriced(answer: Repriced, catalogue: string, terminal: Terminal): void {
  if (answer.rows.length === 0) {
    terminal.print(answer.sealedRecords === 0 ? nothingRecorded : sealedNote(answer.sealedRecords));
    return;
  }
  const rows = answer.rows.map((row) => ({ ...row, label: row[answer.by] ?? '(unknown)' }));
  const totals = answer.totals.map((total) => ({ ...total, label: 'total' }));
  const style = { width: terminal.columns, colour: terminal.colour };
  for (const line of renderTotalled(columnsOf(answer), rows, totals, style)) terminal.print(line);
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
    amount('by the list', (line) =>
      amountText(line.repricedNanoUsd, line.repricedRecords, decimals),
    ),
    amount('difference', (line) => differenceText(line, decimals)),
    count('left out', 1, (line) => line.leftOutRecords),
  ];
}

/** Of no priced record there is no amount: never $0. */
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
    `What the same tokens would have cost by ${catalogue}; what was recorded stays as it is. The difference is over records with both prices.`,
  ];
  if (totals.length > 1 || totals[0]?.billing === 'subscription') {
    notes.push(
      'Amounts of a subscription are list-price equivalents, not a bill; kinds of billing are never added.',
    );
  }
  if (leftOut > 0)
    notes.push(
      `${countOf(leftOut, 'record')} without a price in ${catalogue} (n/a): left out of "by the list".`,
      ...missingLines(missing),
    );
  if (unpriced > 0)
    notes.push(
      `${countOf(unpriced, 'record')} recorded without a price (n/a): left out of "recorded".`,
    );
  if (unreported > 0)
    notes.push(
      `${countOf(unreported, 'attempt')} failed or aborted without usage: in no amount, and not free.`,
    );
  if (sealedRecords > 0) notes.push(sealedNote(sealedRecords));
  if (rowsLeftOut > 0)
    notes.push(`${countOf(rowsLeftOut, 'more row')}: narrow the period, or group by another.`);
  return notes;
}

function sealedNote(records: number): string {
  return `${countOf(records, 'record')} of a time whose events were deleted (pi-ledger seal): in no figure here.`;
}

function missingLines(missing: readonly MissingPrice[]): string[] {
  const lines = missing.slice(0, missingMax).map(({ provider, model, records, reason }) => {
    const name = `${provider === '' ? '(unknown)' : provider}/${model === '' ? '(unknown)' : model}`;
    return `  ${name}: ${countOf(records, 'record')}, ${reasons[reason] ?? reason}`;
  });
  const left = missing.length - missingMax;
  return left <= 0 ? lines : [...lines, `  and ${countOf(left, 'more model')}: --json lists all`];
}
