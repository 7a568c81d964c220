import type { UsageFigures } from '@pi-ledger/contract/answers';
import { decimalsFor, formatCount, formatNanoUsd } from './format.ts';
import type { Column } from './table.ts';

/** Printed instead of an empty table. */
export const nothingRecorded =
  'Nothing is recorded for this yet. `pi-ledger doctor` checks whether events arrive.';

const amounts = [
  { title: 'metered', field: 'meteredNanoUsd' },
  { title: 'subscription*', field: 'subscriptionNanoUsd' },
  { title: 'billing unknown', field: 'unknownBillingNanoUsd' },
] as const;

/** Columns for usage figures. Amounts that are all zero are left out, but at least one stays. */
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

/** What the amounts leave out, and what they mean. */
export function usageFootnotes(total: UsageFigures): string[] {
  const notes: string[] = [];
  if (total.unpricedRecords > 0) {
    notes.push(
      `${countOf(total.unpricedRecords, 'record')} without a price (n/a): not in the amounts.`,
    );
  }
  if (total.unreportedRecords > 0) {
    notes.push(
      `${countOf(total.unreportedRecords, 'attempt')} failed or aborted without reporting usage: ` +
        `cost unknown (not $0), ${estimateOf(total)}.`,
    );
  }
  if (total.subscriptionNanoUsd !== '0') {
    notes.push(
      '* list-price equivalent of usage that a subscription covers: not a bill, and not part of ' +
        'the metered amount.',
    );
  }
  return notes;
}

/** The estimate covers only attempts that can be estimated. */
function estimateOf({ unreportedTokensMax, unreportedNanoUsdMax }: UsageFigures): string {
  if (unreportedTokensMax === 0) return 'and no estimate is possible';
  const nanoUsd = BigInt(unreportedNanoUsdMax);
  const tokens = countOf(unreportedTokensMax, 'token');
  if (nanoUsd === 0n)
    return `estimated at up to ${tokens} of unknown price (n/a), not in the totals`;
  return `estimated at up to ${formatNanoUsd(nanoUsd, 2)} (${tokens}), not in the totals`;
}

/** `3 records`; `plural` if an s is not enough. */
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

/** n/a, never $0.00, if all records of the row lack a price; a dash if there are none. */
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
