import type { ToolRow } from '@pi-ledger/contract/answers';
import { formatCount, formatShare, shortCount } from '../../format/count.ts';
import { Bar } from '../../parts/bar.tsx';
import { Marked, None } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';
import type { LatencyScale } from './latency.ts';
import { count, latencyColumns } from './models-table.tsx';

export function toolColumns(
  rows: readonly ToolRow[],
  scale: LatencyScale,
): readonly Column<ToolRow>[] {
  const most = Math.max(0, ...rows.map(({ resultTokensEstimated }) => resultTokensEstimated));
  return [
    {
      name: 'tool',
      head: 'Tool',
      cell: ({ tool }) => <Name of={tool} />,
      sortBy: ({ tool }) => tool,
    },
    count('calls', 'Calls', ({ calls }) => calls),
    {
      name: 'failed',
      head: 'Failed',
      isNumber: true,
      cell: ({ failures, calls }) => (
        <span title={formatCount(failures)}>{formatShare(failures, calls)}</span>
      ),
      sortBy: ({ failures, calls }) => (calls === 0 ? null : failures / calls),
      csv: ({ failures }) => String(failures),
    },
    ...latencyColumns<ToolRow>(scale),
    {
      name: 'tokens',
      head: 'Tokens',
      isNumber: true,
      cell: ({ resultTokensEstimated: tokens }) => (
        <Marked mark="estimated">{shortCount(tokens)}</Marked>
      ),
      sortBy: ({ resultTokensEstimated }) => resultTokensEstimated,
    },
    {
      name: 'tokensBar',
      head: <span class="unseen">Tokens, as a bar</span>,
      goes: 'first',
      cell: ({ resultTokensEstimated }) => (
        <Bar part={resultTokensEstimated} most={most} series="s2" />
      ),
    },
    {
      name: 'mean',
      head: 'Mean',
      isNumber: true,
      goes: 'second',
      cell: (row) =>
        row.calls === 0 ? (
          <None />
        ) : (
          <Marked mark="estimated">{shortCount(Math.round(meanOf(row)))}</Marked>
        ),
      sortBy: (row) => (row.calls === 0 ? null : meanOf(row)),
    },
    { ...count('files', 'Files', ({ namedFiles }) => namedFiles), goes: 'first' },
  ];
}

function meanOf({ resultTokensEstimated, calls }: ToolRow): number {
  return resultTokensEstimated / calls;
}
