/** What the answers that called tools cost, by model or over all. */

import type { ToolCostRow, ToolModelFigures, ToolModelRow } from '@pi-ledger/contract/answers';
import { toolCostTable, toolModelTable } from '../../../../contract/answers/tools/columns.ts';
import { pageColumns } from '../../parts/answer-columns.tsx';
import type { Column } from '../../parts/table-column.ts';
import { nameCells } from './models-table.tsx';

export const keyOfToolModel = ({ tool, provider, model }: ToolModelRow): string =>
  JSON.stringify([tool, provider, model]);

export interface ShownCosts {
  readonly isCounting: boolean;
  /** The day of whoever looks. */
  readonly today: string;
}

export function toolModelColumns(
  total: ToolModelFigures,
  shown: ShownCosts,
): readonly Column<ToolModelRow>[] {
  return pageColumns(toolModelTable, { rows: [], total, ...shown, cells: nameCells });
}

export function toolCostColumns(
  total: ToolModelFigures,
  shown: ShownCosts,
): readonly Column<ToolCostRow>[] {
  return pageColumns(toolCostTable, { rows: [], total, ...shown, cells: {} });
}
