import type { ToolRow } from '@pi-ledger/contract/answers';
import { toolTable } from '../../../../contract/answers/tools/columns.ts';
import { formatCount, formatShare, shortCount } from '../../format/count.ts';
import { pageColumns } from '../../parts/answer-columns.tsx';
import { Bar } from '../../parts/bar.tsx';
import { Marked, None } from '../../parts/marks.tsx';
import type { Column } from '../../parts/table-column.ts';
import type { LatencyScale } from './latency.ts';
import { rangeCell } from './models-table.tsx';

export function toolColumns(
  rows: readonly ToolRow[],
  scale: LatencyScale,
): readonly Column<ToolRow>[] {
  const most = Math.max(0, ...rows.map(({ resultTokensEstimated }) => resultTokensEstimated));
  const cells = {
    range: rangeCell(scale),
    failed: failedCell,
    mean: meanCell,
    tokensBar: {
      head: <span class="unseen">Result tokens, as a bar</span>,
      cell: ({ resultTokensEstimated }: ToolRow) => (
        <Bar part={resultTokensEstimated} most={most} series="s2" />
      ),
    },
  };
  return pageColumns(toolTable, { rows, cells });
}

const failedCell = {
  cell: ({ failures, calls }: ToolRow) => (
    <span title={formatCount(failures)}>{formatShare(failures, calls)}</span>
  ),
  sortBy: ({ failures, calls }: ToolRow) => (calls === 0 ? null : failures / calls),
};

const meanCell = {
  cell: (row: ToolRow) =>
    row.calls === 0 ? (
      <None />
    ) : (
      <Marked mark="estimated">{shortCount(Math.round(meanOf(row)))}</Marked>
    ),
  sortBy: (row: ToolRow) => (row.calls === 0 ? null : meanOf(row)),
};

function meanOf({ resultTokensEstimated, calls }: ToolRow): number {
  return resultTokensEstimated / calls;
}
