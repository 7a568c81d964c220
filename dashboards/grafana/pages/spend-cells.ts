/** Columns of spend, in one order everywhere. The kinds of billing stand side by side. */
import { usageTable } from '@pi-ledger/contract/columns/usage';
import { columnCells } from '../kit/answer-columns.ts';

export const unpriced =
  'Records without a price; a sum is then marked ≥. Attempts that reported nothing.';

export const spendCells = columnCells(usageTable, {});
