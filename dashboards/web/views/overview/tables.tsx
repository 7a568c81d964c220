/** Projects, models, providers and people: what each spent, against the period before. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { Link } from '../../parts/link.tsx';
import { Name } from '../../parts/name.tsx';
import { unknownId } from '../../state/place-id.ts';
import { beforeWords } from '../../state/scope.ts';
import type { Store } from '../../state/store.ts';
import type { ViewProps } from '../view.ts';
import { stackedBy } from './asks.ts';
import { PerDay, PerDayHead } from './per-day.tsx';
import { Swatch, type UsageColumn, usageColumns } from './usage-columns.tsx';
import { UsageSection } from './usage-table.tsx';

export interface TableProps extends ViewProps {
  /** What the tables are sorted by. */
  readonly billing: Billing;
  /** The series of the chart, which are those of one of the tables; null: not known yet. */
  readonly names: readonly (string | null)[] | null;
  /** The column of the chart that the cursor is on; null: none. */
  readonly day: Store<string | null>;
}

const shownAtFirst = 20;

const sides = ['metered', 'percent', 'subscription', 'unknown'] as const;
export const besideCharts = [...sides, 'tokens'] as const;

/** `projects`: the largest, of which the days are asked. */
export function Projects(
  props: TableProps & { projects: readonly (string | null)[] | null },
): JSX.Element {
  const { place, today, billing, projects } = props;
  const perDay: UsageColumn = {
    name: 'perDay',
    head: <PerDayHead {...{ place, today }} day={props.day} />,
    goes: 2,
    cell: (row) => <PerDay {...props} of={row.project ?? null} />,
    isDrawn: true,
  };
  return (
    <UsageSection
      {...{ place, today, billing }}
      by="project"
      title="Projects"
      note={`against ${beforeWords(place, today)}`}
      hasTotals
      first={shownAtFirst}
      columns={(table) => [
        nameColumn(props, 'project', 'Project'),
        ...(projects === null ? [] : [perDay]),
        ...usageColumns(table, billing),
      ]}
    />
  );
}

export function Models(props: TableProps): JSX.Element {
  const { place, today, billing } = props;
  return (
    <UsageSection
      {...{ place, today, billing }}
      by="model"
      title="Models"
      first={8}
      columns={(table) => [
        nameColumn(props, 'model', 'Model'),
        ...usageColumns(table, billing, besideCharts),
      ]}
    />
  );
}

/** The legend of a chart that is stacked by them. */
export function Providers(props: TableProps): JSX.Element {
  const { place, today, billing } = props;
  return (
    <UsageSection
      {...{ place, today, billing }}
      by="provider"
      title="Providers"
      first={8}
      columns={(table) => [
        nameColumn(props, 'provider', 'Provider'),
        ...usageColumns(table, billing, besideCharts),
      ]}
    />
  );
}

export function People(props: TableProps): JSX.Element {
  const { place, today, billing } = props;
  return (
    <UsageSection
      {...{ place, today, billing }}
      by="user"
      title="People"
      first={8}
      columns={(table) => [
        nameColumn(props, 'user', 'Person'),
        ...usageColumns(table, billing, [...sides, 'sessions']),
      ]}
    />
  );
}

/** What a name leads to. */
const views = {
  project: 'projects',
  model: 'models',
  provider: 'overview',
  user: 'overview',
} as const;

/** With the swatch of its series, where the chart is stacked by it. */
function nameColumn(
  { place, names }: TableProps,
  by: 'project' | 'model' | 'provider' | 'user',
  head: string,
): UsageColumn {
  const isLegend = stackedBy(place) === by && names !== null;
  const nameOf = (row: UsageRow) => row[by] ?? null;
  const target = (name: string | null) => {
    if (by === 'project') return { id: name ?? unknownId };
    return name === null ? null : { parameters: { [by]: name } };
  };
  return {
    name: by,
    head,
    cell: (row) => {
      const name = nameOf(row);
      const to = target(name);
      return (
        <span class="name">
          {isLegend && <Swatch index={names.indexOf(name)} />}
          {to === null ? (
            <Name of={name} />
          ) : (
            <Link view={views[by]} class="plain" {...to}>
              <Name of={name} />
            </Link>
          )}
        </span>
      );
    },
    sortBy: nameOf,
  };
}
