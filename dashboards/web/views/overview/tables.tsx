/** Projects, models, providers and people: what each spent, against the period before. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { hasAmount } from '../../format/spend.ts';
import { Link } from '../../parts/link.tsx';
import { None } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import { unknownId } from '../../state/place-id.ts';
import { beforeWords } from '../../state/scope.ts';
import type { ViewProps } from '../view.ts';
import { stackedBy } from './asks.ts';
import type { UsageTable } from './compared.ts';
import { PerDay } from './per-day.tsx';
import {
  changeColumn,
  countColumn,
  fromCacheColumn,
  moneyColumn,
  percentColumn,
  Swatch,
  tokensColumn,
  type UsageColumn,
} from './usage-columns.tsx';
import { UsageSection } from './usage-table.tsx';

export interface TableProps extends ViewProps {
  /** What the tables are sorted by. */
  readonly billing: 'metered' | 'subscription';
  /** The series of the chart, which are those of one of the tables; null: not known yet. */
  readonly names: readonly (string | null)[] | null;
}

const shownAtFirst = 20;

/** `projects`: the largest, of which the days are asked. */
export function Projects(
  props: TableProps & { projects: readonly (string | null)[] | null },
): JSX.Element {
  const { place, today, billing, projects } = props;
  const perDay: UsageColumn = {
    name: 'perDay',
    head: 'Per day',
    goes: 'first',
    cell: (row) => <PerDay {...props} of={row.project ?? null} />,
    csv: () => '',
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
        ...amounts(table, billing),
        tokensColumn(table, 'second'),
        fromCacheColumn(table),
        ...sessionsColumn(table),
        countColumn(table, 'unpricedRecords', 'Unpriced'),
        countColumn(table, 'unreportedRecords', 'Unreported'),
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
        ...sides(table, billing),
        tokensColumn(table, 'second'),
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
        ...sides(table, billing),
        tokensColumn(table, 'second'),
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
        ...sides(table, billing),
        ...sessionsColumn(table),
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

/** Both sides, with the change of what the table is sorted by, and what is of neither. */
export function amounts(
  table: UsageTable,
  billing: 'metered' | 'subscription',
): readonly UsageColumn[] {
  const [first, ...rest] = sides(table, billing);
  return first === undefined ? rest : [first, changeColumn(table, billing), ...rest];
}

export function sides(
  table: UsageTable,
  billing: 'metered' | 'subscription',
): readonly UsageColumn[] {
  const other = billing === 'metered' ? 'subscription' : 'metered';
  const hasUnknown = table.total !== null && hasAmount([table.total], 'unknown');
  return [
    moneyColumn(table, billing),
    percentColumn(table, billing),
    moneyColumn(table, other),
    ...(hasUnknown ? [moneyColumn(table, 'unknown')] : []),
  ];
}

export function sessionsColumn({ hasSessions, total }: UsageTable): readonly UsageColumn[] {
  if (!hasSessions) return [];
  return [
    {
      name: 'sessions',
      head: 'Sessions',
      isNumber: true,
      goes: 'second',
      cell: (row) => row.sessions ?? <None />,
      sortBy: (row) => row.sessions ?? null,
      total: total?.sessions,
    },
  ];
}
