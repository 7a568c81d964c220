import { expect, test } from 'vitest';
import { csvOf, moreRows, sorted, toSort } from '../../../dashboards/web/parts/table-rows.ts';
import { isWindowed, windowOf } from '../../../dashboards/web/parts/table-window.ts';

const columns = [
  { name: 'name', sortBy: (row: Row) => row.name },
  {
    name: 'spent',
    sortBy: (row: Row) => row.spent,
    csv: ({ spent }: Row) => String(spent ?? ''),
  },
];
interface Row {
  readonly name: string;
  readonly spent: bigint | null;
}
const rows: readonly Row[] = [
  { name: 'b', spent: 2n },
  { name: 'a', spent: null },
  { name: 'c', spent: 10n },
];
const namesBy = (column: string, isUp: boolean) =>
  sorted(rows, columns, { column, isUp }).map(({ name }) => name);

test('what is not known sorts last both ways', () => {
  expect(namesBy('spent', false)).toEqual(['c', 'b', 'a']);
  expect(namesBy('spent', true)).toEqual(['b', 'c', 'a']);
});

test('a sort of another table, or by no column, is none', () => {
  expect(toSort('things:spent:up', 'things', columns)).toEqual({ column: 'spent', isUp: true });
  expect(toSort('others:spent:up', 'things', columns)).toBeNull();
  expect(toSort('things:constructor:up', 'things', columns)).toBeNull();
});

test('a CSV has every row, and no cell that a spreadsheet runs', () => {
  const names = ['=1+1', 'a,"b"\r\nc', '\n=HYPERLINK(1)', '\u00a0=1', '\uff1d1', '\u001b[2J'];
  const hostile = [...names.map((name) => ({ name, spent: null })), { name: 'd', spent: -1n }];
  expect(csvOf(columns, [...hostile, ...rows]).split('\r\n')).toEqual([
    'name,spent',
    "'=1+1,",
    '"a,""b""\\u000d\\u000ac",',
    '\\u000a=HYPERLINK(1),',
    "'\u00a0=1,",
    "'\uff1d1,",
    '\\u001b[2J,',
    'd,-1',
    ...['b,2', 'a,', 'c,10', ''],
  ]);
});

test('a CSV names units, tells each fact in a column of its own, and has no pictures', () => {
  const facts = [
    { name: 'project', csv: () => 'shop' },
    { name: 'branch', csv: () => 'main' },
  ];
  const told = [
    { name: 'spent', unit: 'USD', csv: ({ spent }: Row) => String(spent) },
    { name: 'place', csv: () => 'shop / main', facts },
    { name: 'bar', isDrawn: true, sortBy: ({ spent }: Row) => spent },
  ];
  expect(csvOf(told, rows.slice(0, 1))).toBe('spent (USD),project,branch\r\n2,shop,main\r\n');
});

test('what has no order of its own is sorted by what the CSV has of it, numbers as such', () => {
  const told = [{ name: 'spent', csv: ({ spent }: Row) => String(spent ?? '') }];
  const by = { column: 'spent', isUp: true };
  expect(sorted(rows, told, by).map(({ name }) => name)).toEqual(['b', 'c', 'a']);
});

test('a table of up to 200 rows is drawn whole', () => {
  const place = { count: 200, rowPx: 28, topPx: -3_000, screenPx: 900 };
  expect(windowOf(place)).toEqual({ from: 0, to: 200 });
  expect(isWindowed(200)).toBe(false);
});

test('of a longer one the rows on the screen are drawn, and some around them', () => {
  const at = (topPx: number) => windowOf({ count: 10_000, rowPx: 28, topPx, screenPx: 900 });
  expect(at(300)).toEqual({ from: 0, to: 32 });
  const middle = at(-28 * 5_000);
  expect(middle.from).toBe(4_990);
  expect(middle.to).toBe(5_000 + Math.ceil(900 / 28) + 10);
  expect(at(-28 * 10_500)).toEqual({ from: 9_980, to: 10_000 });
});

test('`More` shows 200 rows, then all', () => {
  expect(moreRows(50)).toBe(200);
  expect(moreRows(10)).toBe(200);
  expect(moreRows(200)).toBe(Number.POSITIVE_INFINITY);
});
