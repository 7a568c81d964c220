import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { Line } from '../../../../collector/cli/line.ts';
import {
  type Column,
  cellsOf,
  drawTable,
  type TableStyle,
} from '../../../../collector/cli/output/table.ts';
import { terminalOn } from '../../../../collector/cli/output/terminal.ts';

interface Row {
  readonly name: string;
  readonly count: string;
  readonly detail: string;
}

const columns: Column<Row>[] = [
  { title: 'project', align: 'left', dropOrder: 0, cell: (row) => row.name },
  { title: 'detail', align: 'left', dropOrder: 1, cell: (row) => row.detail },
  { title: 'records', align: 'right', dropOrder: 0, cell: (row) => row.count },
];
const rows: Row[] = [
  { name: 'shop', detail: 'a long detail that takes room', count: '1,204' },
  { name: '天気', detail: 'short', count: '7' },
];
const render = (
  columnsShown: readonly Column<Row>[],
  rowsShown: readonly Row[],
  totals: readonly Row[],
  style: TableStyle,
) => drawTable(cellsOf(columnsShown, rowsShown, totals), style);
const renderTable = (...given: Parameters<typeof render>) => render(...given).lines;
const plain = { width: null, colour: false };
const widthsOf = (lines: readonly Line[]) =>
  lines.map((line) => stringWidth(typeof line === 'string' ? line : line.text));

describe('a table', () => {
  it('aligns text left and numbers right, wide characters included', () => {
    const lines = renderTable(columns, rows, [], plain);
    expect(lines).toEqual([
      'project  detail                         records',
      'shop     a long detail that takes room    1,204',
      '天気     short                                7',
    ]);
    expect(new Set(widthsOf(lines)).size).toBe(1);
  });

  it('closes with a rule and the total', () => {
    const lines = renderTable(
      columns,
      rows,
      [{ name: 'total', detail: '', count: '1,211' }],
      plain,
    );
    expect(lines.at(-2)).toMatch(/^─+$/);
    expect(lines.at(-1)).toMatch(/^total .* 1,211$/);
  });

  it('leaves out the least important columns when the terminal is narrow', () => {
    const lines = renderTable(columns, rows, [], { width: 30, colour: false });
    expect(lines[0]).toBe('project  records');
  });

  it('says how many columns that were', () => {
    expect(render(columns, rows, [], { width: 30, colour: false }).hidden).toBe(1);
    expect(render(columns, rows, [], plain).hidden).toBe(0);
  });

  it('cuts a long name before it leaves out a column', () => {
    const long = [{ name: 'a-very-long-project-name-that-goes-on', detail: 'short', count: '1' }];
    expect(renderTable(columns, long, [], { width: 42, colour: false })[1]).toBe(
      'a-very-long-…that-goes-on  short         1',
    );
  });

  it('gives a column as much as the others leave, down to what it keeps', () => {
    const flexible = columns.map((column) =>
      column.title === 'detail' ? { ...column, widthKept: 11 } : column,
    );
    const at = (width: number) => renderTable(flexible, rows, [], { width, colour: false })[1];
    expect(at(31)).toBe('shop     a long…s room    1,204');
    expect(at(40)).toBe('shop     a long deta…takes room    1,204');
    expect(at(26)).toBe('shop       1,204');
  });

  it('writes marks in ASCII, aligned, where a terminal knows no UTF-8', () => {
    const marked = [{ name: 'shop', detail: '≥ $94.99', count: '–' }];
    const style = { ...plain, utf8: false };
    expect(renderTable(columns, marked, marked, style)).toEqual([
      'project  detail     records',
      'shop     >= $94.99        -',
      '---------------------------',
      'shop     >= $94.99        -',
    ]);
  });

  it('cuts a name in its middle rather than wrap a line', () => {
    const long = [{ name: 'a-very-long-project-name-indeed', detail: '', count: '1' }];
    const lines = renderTable(columns, long, [], { width: 25, colour: false });
    expect(lines[1]).toBe('a-very-l…-indeed        1');
    expect(Math.max(...widthsOf(lines))).toBeLessThanOrEqual(25);
  });

  it('cuts wide characters by the columns that they take', () => {
    const long = [{ name: '天気予報天気予報天気予報天気予報', detail: '', count: '1' }];
    const lines = renderTable(columns, long, [], { width: 25, colour: false });
    expect(lines[1]).toBe('天気予報…気予報         1');
    expect(new Set(widthsOf(lines))).toEqual(new Set([25]));
  });

  it('cuts a column that has a bound, on a terminal only', () => {
    const bounded = columns.map((column) =>
      column.title === 'detail' ? { ...column, widthMax: 9 } : column,
    );
    const [, first] = renderTable(bounded, rows, [], { width: 80, colour: false });
    expect(first).toBe('shop     a lo…room    1,204');
    expect(renderTable(bounded, rows, [], plain)).toEqual(renderTable(columns, rows, [], plain));
  });

  it('uses escape sequences only when colours are wanted', () => {
    expect(shown(false)).not.toContain('\u001b');
    expect(shown(true)).toContain('\u001b[2m');
  });
});

function shown(colour: boolean): string {
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  const terminal = terminalOn({
    env: {},
    columns: null,
    colour,
    now: () => new Date(0),
    print,
    complain: print,
  });
  for (const line of renderTable(columns, rows, [], { width: null, colour })) terminal.print(line);
  return printed.join('');
}
