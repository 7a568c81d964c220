/**
 * The columns of a question (contract/answers/<question>/columns.ts) as those of Grafana's tables.
 * Each unit is written here, and nowhere else.
 */
import { amountNames } from '@pi-ledger/contract/billings';
import type { AnyColumn, ColumnOf, OnlyKeys, TableOf } from '@pi-ledger/contract/columns';
import { type Cell, cellsOf, type Look } from './cells.ts';

/** `looks`: by key, what only Grafana needs. */
export function columnCells<Row, const Columns extends readonly ColumnOf<Row>[], Looks>(
  { columns }: TableOf<Row, Columns>,
  looks: Looks & OnlyKeys<Looks, Columns>,
): readonly Cell[] {
  const own = looks as Readonly<Record<string, Look | undefined>>;
  return (columns as readonly AnyColumn[])
    .filter((column) => column.in === undefined || column.in.includes('grafana'))
    .flatMap((column) => withHead(column, own[column.key]));
}

/** Infinity finds a column by letters, digits and spaces. */
function withHead(column: AnyColumn, look: Look = {}): readonly Cell[] {
  const { title, heading = title } = column;
  const head = heading.replace(/^[a-z](?!\d)/, (letter) => letter.toUpperCase());
  const name = head.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim();
  const write = units[column.is] as (name: string, column: AnyColumn) => readonly Cell[];
  const cells = write(name, column);
  return cells.map((cell) =>
    cell.name === name ? { ...cell, ...look, ...(name === head ? {} : { head }) } : cell,
  );
}

type Units = {
  readonly [Unit in AnyColumn['is']]: (
    name: string,
    column: Extract<AnyColumn, { is: Unit }>,
  ) => readonly Cell[];
};

/** Its paths are checked where the columns are listed. */
const cell = cellsOf<Readonly<Record<string, string>>>();

const units: Units = {
  name: (name, { of }) => [cell.text(name, of)],
  id: (name, { of }) => [cell.text(name, of, { width: 110 })],
  time: (name, { of }) => [cell.time(name, of)],
  day: (name, { of }) => [cell.text(name, of)],
  count: (name, { of }) => [cell.count(name, of)],
  tokens: (name, { of }) => [cell.sum(name, ...of)],
  rate: (name, { of }) => [cell.count(name, of)],
  duration: (name, { of }) => [cell.seconds(name, of)],
  percentile: (name, { of }) => [cell.seconds(name, `${of}.ms`)],
  share: (name, { part, of }) => [cell.share(name, part, ...of)],
  usd: (name, { of }) => [cell.usd(name, of)],
  amount: (name, { billing }) => sums(name, billing, 'unpricedRecords'),
  callCost: (name, { billing }) => sums(name, billing, 'unpricedCalls'),
  charge: (name, { billing }) => [cell.charge(name, billing)],
  own: () => [],
};

/** With a mark at its left; what is of unknown billing is rare, and has none. */
function sums(
  name: string,
  billing: keyof typeof amountNames,
  leftOut: 'unpricedRecords' | 'unpricedCalls',
): readonly Cell[] {
  const path = `byBilling.${billing}.${leftOut}`;
  return [
    ...(billing === 'unknown' ? [] : [cell.atLeast(`${name} at least`, path)]),
    cell.usdSum(name, amountNames[billing], path),
  ];
}
