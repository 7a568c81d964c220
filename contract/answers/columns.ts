/**
 * What a column of a question's tables is: plain data, without a library, so that the command line,
 * the page and Grafana draw it from the same line (`<question>/columns.ts`). Each of them writes a
 * unit in one place; a cell that only one medium can draw is `own`: its code, by the column's key.
 *
 * The order of a list is that of every table. The columns of a CSV of the API are the fields of its
 * answer; in the page's CSV and URLs a column has its key.
 */
import type { Billing } from './billings.ts';
import type { Percentile } from './timings.ts';
import type { ToolModelFigures } from './tools/models-schema.ts';
import type { UsageFigures } from './usage/schema.ts';

/** Tables that a list has columns for. `errors` is one of the page, beside that of models. */
export type Medium = 'command' | 'page' | 'grafana' | 'errors';

interface Described {
  readonly key: string;
  /** As the command line writes it; elsewhere it begins with a capital. */
  readonly title: string;
  /** What it is called where a word more has room. */
  readonly heading?: string;
  /** Where it is narrow, the highest number goes first; a column without one always stays. */
  readonly drops?: number;
  /** Where it is a column; by default in commands, on the page and in Grafana. */
  readonly in?: readonly Medium[];
  /** In a command, null is an empty cell. */
  readonly isBlank?: true;
}

/** A row of any question, of which a path is any text: what draws tables knows no more. */
export interface AnyRow {
  readonly isAnyRow: true;
}

type PathTo<Row, Value> = Row extends AnyRow ? string : FieldPath<Row, Value>;

/** Paths of a row's fields that hold such a value: `byBilling.metered.unpricedRecords`. */
export type FieldPath<Row, Value> = Row extends Plain | readonly unknown[]
  ? never
  : {
      [Key in keyof Row & string]-?:
        | (NonNullable<Row[Key]> extends Value ? Key : never)
        | `${Key}.${FieldPath<NonNullable<Row[Key]>, Value>}`;
    }[keyof Row & string];

type Plain = string | number | boolean;

/** What others named; null is not known. */
interface NameColumn<Row> extends Described, Cut {
  readonly is: 'name';
  readonly of: PathTo<Row, string>;
}

/** A terminal cuts it: to `widthKept` before columns go. */
interface Cut {
  readonly widthMax?: number;
  readonly widthKept?: number;
}

interface TextColumn<Row> extends Described, Cut {
  /** An id is as short on a terminal as tells it apart. Days are those of whoever worked. */
  readonly is: 'id' | 'time' | 'day';
  readonly of: PathTo<Row, string>;
  readonly align?: 'right';
  /** On a terminal, a time of another day than today is its day. */
  readonly isDay?: true;
}

interface CountColumn<Row> extends Described {
  readonly is: 'count';
  readonly of: PathTo<Row, number>;
}

interface TokensColumn<Row> extends Described {
  readonly is: 'tokens';
  /** Those that are added up. */
  readonly of: readonly PathTo<Row, number | string>[];
  readonly isEstimated?: true;
}

interface RateColumn<Row> extends Described {
  /** So many a second, or milliseconds. */
  readonly is: 'rate' | 'duration';
  readonly of: PathTo<Row, number>;
}

interface PercentileColumn<Row> extends Described {
  readonly is: 'percentile';
  readonly of: PathTo<Row, Percentile>;
}

interface ShareColumn<Row> extends Described {
  readonly is: 'share';
  readonly part: PathTo<Row, number | string>;
  /** Those that are added up. */
  readonly of: readonly PathTo<Row, number | string>[];
  readonly places?: number;
}

/** Nano-dollars. Without any in the total there is no column. */
interface UsdColumn<Row> extends Described {
  readonly is: 'usd';
  readonly of: PathTo<Row, string>;
}

/** The sum of one kind of billing. */
interface AmountColumn<Row> extends Described {
  readonly is: Row extends UsageFigures | AnyRow ? 'amount' : never;
  readonly billing: Billing;
}

/** The same of the shares that calls of tools have. A billing that does not occur has no column. */
interface CallCostColumn<Row> extends Described {
  readonly is: Row extends ToolModelFigures | AnyRow ? 'callCost' : never;
  readonly billing: Billing;
}

/** What one thing cost, under its billing. */
interface ChargeColumn<Row> extends Described {
  readonly is: Row extends Charged | AnyRow ? 'charge' : never;
  readonly billing: Billing;
}

/** Its cost is null where it is not known. */
export interface Charged {
  readonly billing: Billing | null;
  readonly costNanoUsd: string | null;
}

/** Its cells are code of each medium that has it. */
interface OwnColumn extends Described, Cut {
  readonly is: 'own';
  readonly align?: 'right';
}

export type ColumnOf<Row> =
  | NameColumn<Row>
  | TextColumn<Row>
  | CountColumn<Row>
  | TokensColumn<Row>
  | RateColumn<Row>
  | PercentileColumn<Row>
  | ShareColumn<Row>
  | UsdColumn<Row>
  | AmountColumn<Row>
  | CallCostColumn<Row>
  | ChargeColumn<Row>
  | OwnColumn;
export type AnyColumn = ColumnOf<AnyRow>;

/** The columns of a question. Their keys are known to the compiler, and what a row of theirs is. */
export interface TableOf<Row, Columns extends readonly ColumnOf<Row>[]> {
  readonly columns: Columns;
  /** It is never there: a type that fits rows of no other question. */
  readonly row?: (row: Row) => Row;
}

export function tableOf<Row>() {
  return <const Columns extends readonly ColumnOf<Row>[]>(
    columns: Columns,
  ): TableOf<Row, Columns> => ({ columns });
}

/** What a medium draws itself: it has to for `own` columns, and may for others. */
export type OwnCells<
  Columns extends readonly Described[],
  In extends Medium,
  Cell,
  Only extends string = string,
> = Readonly<
  Record<OwnKey<Columns[number], In> & Only, Cell> & Partial<Record<Columns[number]['key'], Cell>>
>;

/** A key that the list has not is a type error, whoever made the cells. */
export type OnlyKeys<Cells, Columns extends readonly Described[]> = {
  readonly [Key in keyof Cells]: Key extends Columns[number]['key'] ? unknown : never;
};

type OwnKey<Column, In extends Medium> = Column extends {
  readonly is: 'own';
  readonly key: infer Key extends string;
}
  ? Column extends { readonly in: readonly (infer Media)[] }
    ? In extends Media
      ? Key
      : never
    : Key
  : never;
