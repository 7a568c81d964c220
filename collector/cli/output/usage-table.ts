import type { UsageFigures } from '@pi-ledger/contract/answers';
import { decimalsFor, formatCount, formatNanoUsd } from './format.ts';
import type { Column } from './table.ts';

/** In place of a table without rows. */
export const nothingRecorded =
  'Nothing is recorded for this yet. `pi-ledger doctor` says whether the extension is installed and what waits.';

const amounts = [
  { title: 'metered', field: 'meteredNanoUsd' },
  { title: 'subscription*', field: 'subscriptionNanoUsd' },
  { title: 'billing unknown', field: 'unknownBillingNanoUsd' },
] as const;

/** Columns for usage figures. An amount nobody has is left out, unless no amount were left. */
export function usageColumns<Row extends UsageFigures>(total: UsageFigures): Column<Row>[] {
  const counts: Column<Row>[] = [
    countColumn('records', 4, (row) => row.records),
    countColumn('input', 2, (row) => row.inputTokens),
    countColumn('output', 1, (row) => row.outputTokens),
    countColumn('cache read', 5, (row) => row.cacheReadTokens),
    countColumn('cache write', 6, (row) => row.cacheWriteTokens),
    countColumn('reasoning', 7, (row) => row.reasoningTokens),
  ];
  const used = amounts.filter(({ field }) => BigInt(total[field]) !== 0n);
  const shown = used.length > 0 ? used : amounts.slice(0, 1);
  const largest = shown.reduce(
    (most, { field }) => (BigInt(total[field]) > most ? BigInt(total[field]) : most),
    0n,
  );
  const decimals = decimalsFor(largest);
  return [
    ...counts,
    ...shown.map(({ title, field }): Column<Row> => {
      return {
        title,
        align: 'right',
        dropOrder: 0,
        cell: (row) => amountCell(row, field, decimals),
      };
    }),
  ];
}

/** What the amounts leave out, and what they are not. */
export function usageFootnotes(total: UsageFigures): string[] {
  const notes: string[] = [];
  if (total.unpricedRecords > 0) {
    notes.push(
      `${countOf(total.unpricedRecords, 'record')} without a known price (n/a): not in the amounts.`,
    );
  }
  if (total.unreportedRecords > 0) {
    notes.push(
      `${countOf(total.unreportedRecords, 'attempt')} failed or aborted without usage: the cost is not reported, and not zero; ${estimateOf(total)}.`,
    );
  }
  if (total.subscriptionNanoUsd !== '0') {
    notes.push(
      '* list-price equivalent of what a subscription covers: not a bill, and not part of the metered amount.',
    );
  }
  return notes;
}

/** The estimate says nothing of attempts that none is possible for. */
function estimateOf({ unreportedTokensMax, unreportedNanoUsdMax }: UsageFigures): string {
  if (unreportedTokensMax === 0) return 'no estimate is possible (n/a)';
  const nanoUsd = BigInt(unreportedNanoUsdMax);
  const tokens = countOf(unreportedTokensMax, 'token');
  if (nanoUsd === 0n)
    return `as far as it can be estimated, at most ${tokens}, whose price is not known (n/a), not in the totals`;
  return `as far as it can be estimated, at most about ${formatNanoUsd(nanoUsd, 2)} (${tokens}), not in the totals`;
}

/** `3 records`; `plural` where an s does not make it. */
export function countOf(count: number | string, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

function countColumn<Row>(
  title: string,
  dropOrder: number,
  count: (row: Row) => number | string,
): Column<Row> {
  return { title, align: 'right', dropOrder, cell: (row) => formatCount(count(row)) };
}

/**
 * A row all of whose records lack a price has no amount: n/a, never $0.00. One without records has
 * nothing to price.
 */
function amountCell(
  row: UsageFigures,
  field: (typeof amounts)[number]['field'],
  decimals: number,
): string {
  const nanoUsd = BigInt(row[field]);
  if (nanoUsd !== 0n) {
    return formatNanoUsd(nanoUsd, decimals);
  }
  const isNothing = row.records === 0 || amounts.some((amount) => row[amount.field] !== '0');
  const isPriced = row.records > row.unpricedRecords + row.unreportedRecords;
  return isNothing ? '–' : isPriced ? formatNanoUsd(0n, decimals) : 'n/a';
}
