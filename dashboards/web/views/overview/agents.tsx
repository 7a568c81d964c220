/** What main agents and each subagent spent: the legend of a chart that is stacked by them. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { nameless } from '../../charts/spend-series.ts';
import { Name } from '../../parts/name.tsx';
import { byAgent, stackedBy } from './asks.ts';
import { besideCharts, type TableProps } from './tables.tsx';
import { Swatch, type UsageColumn, usageColumns } from './usage-columns.tsx';
import { UsageSection } from './usage-table.tsx';

export function Agents(props: TableProps): JSX.Element {
  const { place, today, billing } = props;
  return (
    <UsageSection
      {...{ place, today, billing }}
      by={byAgent}
      title="Agents"
      first={8}
      columns={(table) => [
        nameColumn(props),
        {
          name: 'kind',
          head: 'Kind',
          cell: ({ agentKind = null }) => <Name of={agentKind} />,
          sortBy: ({ agentKind = null }) => agentKind,
        },
        ...usageColumns(table, billing, besideCharts),
      ]}
    />
  );
}

function nameColumn({ place, names }: TableProps): UsageColumn {
  const by = stackedBy(place) === 'agentKind' ? 'agentKind' : 'agent';
  const nameOf = (row: UsageRow) => row.agent ?? null;
  return {
    name: 'agent',
    head: 'Agent',
    cell: (row) => (
      <span class="name">
        {names !== null && <Swatch index={names.indexOf(row[by] ?? null)} />}
        <Name of={nameOf(row)} unknown={nameless('agent')} />
      </span>
    ),
    sortBy: nameOf,
  };
}
