/** The columns of tables of usage, against the period before. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { ComponentChildren, JSX } from 'preact';
import { usageTable } from '../../../../contract/answers/usage/columns.ts';
import { seriesClass } from '../../charts/colours.ts';
import type { Change } from '../../format/change.ts';
import { formatCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { pageColumns } from '../../parts/answer-columns.tsx';
import { None } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { Percent } from '../../parts/percent.tsx';
import type { Column } from '../../parts/table-column.ts';
import { changeOfRow, changeOfTotal, type UsageTable } from './compared.ts';

export type UsageColumn = Column<UsageRow>;
type UsageKey = (typeof usageTable)['columns'][number]['key'];

const usual = usageTable.columns.map(({ key }) => key).filter((key) => key !== 'records');

/** `billing` stands first, with its change. Sessions are a column where rows say how many. */
export function usageColumns(
  table: UsageTable,
  billing: Billing,
  only: readonly UsageKey[] = usual,
): readonly UsageColumn[] {
  const { total, isCounting, hasSessions } = table;
  const keys = hasSessions ? only : only.filter((key) => key !== 'sessions');
  const cells = {
    change: changeCells(table, billing),
    percent: percentCells(table, billing),
    unpricedRecords: quiet('unpricedRecords'),
    unreportedRecords: quiet('unreportedRecords'),
    records: quiet('records'),
  };
  const columns = pageColumns(usageTable, { rows: [], total, isCounting, cells, only: keys });
  return billing === 'metered'
    ? columns
    : columns.map((column) => inPlaceOf(column, billing, columns) ?? column);
}

/** Metered and this billing change places. */
function inPlaceOf(
  { name }: UsageColumn,
  billing: Billing,
  among: readonly UsageColumn[],
): UsageColumn | undefined {
  const other = name === 'metered' ? billing : name === billing ? 'metered' : name;
  return among.find((each) => each.name === other);
}

/** In dollars, of one billing. */
function changeCells(table: UsageTable, billing: Billing) {
  return {
    cell: (row: UsageRow) => <Changed {...{ table }} of={changeOfRow(table, row, billing)} />,
    sortBy: (row: UsageRow) => changeOfRow(table, row, billing).nanoUsd,
    csv: (row: UsageRow) => csvUsd(changeOfRow(table, row, billing).nanoUsd),
    unit: 'USD',
    total: table.total && <Changed {...{ table }} of={changeOfTotal(table, billing)} />,
  };
}

function percentCells(table: UsageTable, billing: Billing) {
  const percent = (change: Change) => (table.hasBefore ? <Percent of={change} /> : 'loading');
  return {
    cell: (row: UsageRow) => <Quiet>{percent(changeOfRow(table, row, billing))}</Quiet>,
    sortBy: (row: UsageRow) => changeOfRow(table, row, billing).share,
    unit: 'share',
    total: table.total && percent(changeOfTotal(table, billing)),
  };
}

function quiet(name: 'unpricedRecords' | 'unreportedRecords' | 'records') {
  return { cell: (row: UsageRow) => <Quiet>{formatCount(row[name])}</Quiet> };
}

/** Undefined: not a series of the chart beside. */
export function Swatch({ index }: { index: number | undefined }): JSX.Element | null {
  return index === undefined ? null : <span class={`swatch ${seriesClass(index)}`} />;
}

function Changed({ table, of }: { table: UsageTable; of: Change }): JSX.Element {
  if (!table.hasBefore) return <>loading</>;
  return of.nanoUsd === 0n && of.mark === 'exact' ? <None /> : <Money {...of} isChange />;
}

function Quiet({ children }: { children: ComponentChildren }): JSX.Element {
  return <span class="quiet">{children}</span>;
}
