/** `export --focus`: the ledger as FOCUS 1.2 in CSV, and what its columns cannot say. */

import { exactUsd } from '@pi-ledger/contract/amounts';
import type { UsageFineRow } from '@pi-ledger/contract/answers';
import { toCsv } from '../../http/formats.ts';
import type { LedgerClient } from '../client/ledger-client.ts';
import { leftOutNotes, readLeftOut } from '../client/left-out.ts';
import { standingNotes } from '../client/standing.ts';
import { filterParameters } from '../filters.ts';
import type { Note } from '../output/answer-parts.ts';
import { countOf } from '../output/counts.ts';
import {
  type FocusRow,
  focusColumns,
  focusDimensions,
  toFocusRows,
} from '../transfer/focus-rows.ts';
import type { FileExporter, Sink } from './exporter.ts';
import { usageRowPages } from './row-pages.ts';

interface FocusExported {
  readonly rows: number;
  readonly billedUsd: string;
  /** In ListCost and ContractedCost only. */
  readonly subscriptionUsd: string;
  readonly unknownBillingUsd: string;
  /** Their costs of 0 are not known. */
  readonly unpricedRecords: number;
  /** In no row. */
  readonly unreportedRecords: number;
}

/** Costs and usage by the spender's own days. */
export const exportFocus: FileExporter = async ({ client, terminal, options, write }) => {
  const notes = await standingNotes(client);
  const leftOut = await readLeftOut(terminal, client);
  const summary = await writeFocus(client, filterParameters(options, terminal.now()), write);
  return {
    text: `${countOf(summary.rows, 'row')} of FOCUS 1.2, $${summary.billedUsd} billed`,
    summary,
    notes: [...notes, ...leftOutNotes(leftOut), ...focusNotes(summary)],
    isIncomplete: notes.length > 0,
  };
};

async function writeFocus(
  client: Pick<LedgerClient, 'get'>,
  parameters: URLSearchParams,
  write: Sink,
): Promise<FocusExported> {
  const sums = { metered: 0n, subscription: 0n, unknown: 0n };
  const counts = { rows: 0, unpricedRecords: 0, unreportedRecords: 0 };
  const take = (row: UsageFineRow): void => {
    sums[row.billing] += BigInt(row.nanoUsd);
    counts.unpricedRecords += row.unpricedRecords;
    counts.unreportedRecords += row.unreportedRecords;
  };
  await write(toLines([]));
  for await (const page of usageRowPages(client, focusDimensions, parameters)) {
    page.forEach(take);
    const rows = page.flatMap(toFocusRows);
    counts.rows += rows.length;
    if (rows.length > 0) await write(toLines(rows).slice(toLines([]).length));
  }
  return {
    ...counts,
    billedUsd: exactUsd(sums.metered),
    subscriptionUsd: exactUsd(sums.subscription),
    unknownBillingUsd: exactUsd(sums.unknown),
  };
}

/** With the header. No cell holds a line end; the terminal ends lines in the same way. */
function toLines(rows: readonly FocusRow[]): string {
  return toCsv(focusColumns, rows).replaceAll('\r\n', '\n');
}

/** What somebody who reads the file alone would take for something else. */
function focusNotes(exported: FocusExported): readonly Note[] {
  const { subscriptionUsd, unknownBillingUsd, unpricedRecords, unreportedRecords } = exported;
  return [
    ...(unpricedRecords === 0
      ? []
      : [
          {
            is: 'warning' as const,
            text:
              `${countOf(unpricedRecords, 'record')} without a known price: FOCUS allows no ` +
              'empty cost, so their costs are 0, and x_CostKnown is false',
          },
        ]),
    ...(unreportedRecords === 0
      ? []
      : [
          {
            is: 'warning' as const,
            text:
              `${countOf(unreportedRecords, 'record')} reported nothing: their cost is not ` +
              'known, and in no row',
          },
        ]),
    ...(subscriptionUsd === '0'
      ? []
      : [
          {
            text:
              `$${subscriptionUsd} is covered by subscriptions: in ListCost and ContractedCost, ` +
              "0 in BilledCost, and 0 in EffectiveCost, since the plan's price is not known here",
          },
        ]),
    ...(unknownBillingUsd === '0'
      ? []
      : [
          {
            is: 'warning' as const,
            text:
              `$${unknownBillingUsd} is not known to be billed: in ListCost and ContractedCost, ` +
              'not in BilledCost. Set `billing` in config.json',
          },
        ]),
  ];
}
