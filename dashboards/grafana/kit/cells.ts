/**
 * The columns of an API's answer, as JSONata (the Infinity datasource evaluates it). Paths are
 * checked against the answer's type: a field that is renamed does not compile.
 *
 * Unknown is empty (shown as n/a), never 0. Amounts are nano-dollars as text in the answer, dollars
 * in the column.
 */
import type { FieldPath } from '@pi-ledger/contract/columns';

/** `byBilling.metered.unpricedRecords` */
type PathIn<Row> = FieldPath<Row, string | number | boolean>;

export interface Cell {
  /** The column's head. Letters, digits and spaces: Infinity finds it by this name. */
  readonly name: string;
  readonly type: 'string' | 'number' | 'timestamp';
  readonly jsonata: string;
  /** The fields of the answer that it is made of. */
  readonly from: readonly string[];
  readonly unit?: string;
  readonly decimals?: number;
  readonly width?: number;
  /** What stands above it, where that is not its name. */
  readonly head?: string;
  /** The view of the built-in page that shows what it names. */
  readonly page?: 'projects' | 'sessions';
  readonly isHidden?: true;
}

export type Look = Pick<Cell, 'unit' | 'decimals' | 'width' | 'head' | 'page'>;

export interface Cells<Row> {
  text(name: string, path: PathIn<Row>, look?: Look): Cell;
  /** What `none` says where there is nothing to say. */
  note(name: string, path: PathIn<Row>, none: string): Cell;
  /** Words for true and false. */
  yesNo(name: string, path: PathIn<Row>, yes: string, no: string): Cell;
  count(name: string, path: PathIn<Row>, look?: Look): Cell;
  time(name: string, path: PathIn<Row>): Cell;
  /** Milliseconds as seconds. */
  seconds(name: string, path: PathIn<Row>): Cell;
  /** 0 to 1. */
  share(name: string, part: PathIn<Row>, ...whole: readonly PathIn<Row>[]): Cell;
  /** A sum of counts. */
  sum(name: string, ...paths: readonly PathIn<Row>[]): Cell;
  /** An amount that is null where it is not known. */
  usd(name: string, path: PathIn<Row>): Cell;
  /** What one thing cost, where it was billed so. */
  charge(name: string, billing: string): Cell;
  /** A sum of amounts, unknown where it is zero and records without a price are left out. */
  usdSum(name: string, amount: PathIn<Row>, leftOut: PathIn<Row>): Cell;
  /** `≥` where records without a price are left out of the sum beside it. */
  atLeast(name: string, leftOut: PathIn<Row>): Cell;
  /** `≤` where a cost in the amount beside it was not reported. */
  atMost(name: string, isBound: PathIn<Row>): Cell;
  /** The same of a sum: how many of its amounts are bounds. */
  sumAtMost(name: string, bounds: PathIn<Row>): Cell;
  /** A sum as words: `≥ $94.99`. */
  figure(name: string, amount: PathIn<Row>, leftOut: PathIn<Row>): Cell;
}

const usd = { unit: 'currencyUSD', decimals: 2 };

/** Typed by the row of an answer: `cellsOf<UsageRow>()`. */
export function cellsOf<Row>(): Cells<Row> {
  return {
    text: (name, path, look) =>
      cell(name, 'string', [path], `${path} != null ? ${path} : "unknown"`, look),
    note: (name, path, none) =>
      cell(name, 'string', [path], `${path} != null ? ${path} : "${none}"`),
    yesNo: (name, path, yes, no) =>
      cell(name, 'string', [path], `${path} = true ? "${yes}" : "${no}"`, { width: 100 }),
    count: (name, path, look) =>
      cell(name, 'number', [path], numberOf(path), { decimals: 0, ...look }),
    time: (name, path) =>
      cell(name, 'timestamp', [path], path, { unit: 'dateTimeAsIso', width: 160 }),
    seconds: (name, path) =>
      cell(name, 'number', [path], `${numberOf(path)} / 1000`, { unit: 's', decimals: 1 }),
    share: (name, part, ...whole) => {
      const all = `(${whole.map(numberOf).join(' + ')})`;
      const text = `${all} > 0 ? ${numberOf(part)} / ${all}`;
      return cell(name, 'number', [part, ...whole], text, { unit: 'percentunit', decimals: 1 });
    },
    sum: (name, ...paths) =>
      cell(name, 'number', paths, paths.map(numberOf).join(' + '), { unit: 'short' }),
    usd: (name, path) => cell(name, 'number', [path], dollars(path), usd),
    charge: (name, billing) => {
      const text = `billing = "${billing}" ? ${dollars('costNanoUsd')}`;
      return cell(name, 'number', ['billing', 'costNanoUsd'], text, usd);
    },
    usdSum: (name, amount, leftOut) => {
      const text = `${leftOut} = 0 or ${amount} != "0" ? ${dollars(amount)}`;
      return cell(name, 'number', [amount, leftOut], text, usd);
    },
    atLeast: (name, leftOut) => markCell(name, leftOut, `${leftOut} > 0`, '≥'),
    atMost: (name, isBound) => markCell(name, isBound, `${isBound} = true`, '≤'),
    sumAtMost: (name, bounds) => markCell(name, bounds, `${bounds} > 0`, '≤'),
    figure: (name, amount, leftOut) =>
      cell(name, 'string', [amount, leftOut], figure(amount, leftOut)),
  };
}

/** The hidden column beside one with a page: what follows the view in the page's path. */
export function pathCell({ name, from }: Cell): Cell {
  return { ...cell(`${name} path`, 'string', from, pathOf(from.join())), isHidden: true };
}

/** As the page reads names in paths: `~` in place of percent signs, which Grafana decodes. */
function pathOf(path: string): string {
  const escapes = [
    ['+', '%20'],
    ['~', '%7E'],
    ['%', '~'],
  ];
  const escaped = escapes.reduce(
    (text, [from, to]) => `$replace(${text}, "${from}", "${to}")`,
    `$encodeUrlComponent(${path})`,
  );
  return `${path} != null ? "~-" & ${escaped} : "~"`;
}

function cell(
  name: string,
  type: Cell['type'],
  from: readonly string[],
  jsonata: string,
  look: Look = {},
): Cell {
  if (!/^[A-Za-z0-9 ]+$/.test(name)) throw new Error(`Infinity cannot find a column ${name}.`);
  return { name, type, from, jsonata, ...look };
}

/** Sums of tokens are text above 2^53. Nothing of null. */
function numberOf(path: string): string {
  return `(${path} != null ? $number(${path}))`;
}

function dollars(path: string): string {
  return `${numberOf(path)} / 1000000000`;
}

/** Left of an amount. */
function markCell(name: string, from: string, condition: string, mark: string): Cell {
  return cell(name, 'string', [from], `${condition} ? "${mark}" : " "`, { width: 30, head: mark });
}

function figure(amount: string, leftOut: string): string {
  const small = `$number(${amount}) > 0 and $number(${amount}) < 10000000`;
  const written = `"$" & $formatNumber($number(${amount}) / 1000000000, "#,##0.00")`;
  return [
    `${leftOut} > 0 and ${amount} = "0" ? "n/a"`,
    `(${leftOut} > 0 ? "≥ " : "") & (${small} ? "<$0.01" : ${written})`,
  ].join(' : ');
}
