/** The published rules for FOCUS, and what in a row breaks them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Cells = Readonly<Record<string, string>>;

interface ColumnRule {
  readonly level: 'mandatory' | 'recommended' | 'conditional';
  readonly type: string;
  readonly nulls: boolean;
  readonly values?: readonly string[];
}

type Check =
  | 'column_required'
  | { readonly data_type: string }
  | { readonly allow_nulls: boolean }
  | { readonly value_in: readonly string[] }
  | { readonly sql_query: string };

interface OldRule {
  readonly column: string;
  readonly check: Check;
}

export const columnRules: Readonly<Record<string, ColumnRule>> = read('columns-1.2.json').columns;
const oldRules: readonly OldRule[] = read('rules-1.0.json').rules;

/** Columns of 1.0 that 1.2 calls otherwise. */
const renamed: Readonly<Record<string, string>> = {
  InvoiceIssuer: 'InvoiceIssuerName',
  Provider: 'ProviderName',
  Publisher: 'PublisherName',
};
/** Columns that 1.2 wants only of who has such a concept. */
const conditional =
  /^(AvailabilityZone|CommitmentDiscount|(Contracted|List)UnitPrice|Region|Resource|SubAccount)/;

/** What is wrong with a row by the column definitions of 1.2. */
export function faultsOf12(row: Cells): readonly string[] {
  return Object.entries(columnRules).flatMap(([column, { type, nulls, values }]) => {
    const cell = row[column];
    if (cell === undefined) return [`${column} is missing`];
    if (cell === '') return nulls ? [] : [`${column} is null`];
    const isFit = fits(type, cell) && (values === undefined || values.includes(cell));
    return isFit ? [] : [`${column}: ${cell}`];
  });
}

/** What is wrong with a row by the rules that the official validator knows. */
export function faultsOf10(row: Cells): readonly string[] {
  return oldRules
    .filter(({ column }) => !conditional.test(column))
    .flatMap(({ column: old, check }) => {
      const column = renamed[old] ?? old;
      const cell = row[column];
      if (cell === undefined) return check === 'column_required' ? [`${column} is missing`] : [];
      return isKept(check, cell) ? [] : [`${column}: ${cell}, against ${JSON.stringify(check)}`];
    });
}

function isKept(check: Check, cell: string): boolean {
  if (check === 'column_required') return true;
  if ('allow_nulls' in check) return check.allow_nulls || cell !== '';
  if ('sql_query' in check) return cell !== ''; // SkuPriceId of a charge of the category Usage
  if (cell === '') return true;
  return 'value_in' in check ? check.value_in.includes(cell) : fits(check.data_type, cell);
}

function fits(type: string, cell: string): boolean {
  switch (type) {
    case 'decimal':
      return /^-?\d+(\.\d+)?$/.test(cell);
    case 'positive':
      return /^\d+$/.test(cell) && BigInt(cell) > 0n;
    case 'datetime':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(cell) && !Number.isNaN(Date.parse(cell));
    case 'currency':
    case 'currency-code':
      return cell === 'USD';
    case 'json':
    case 'stringified-json-object':
      return Object.prototype.toString.call(JSON.parse(cell)) === '[object Object]';
    case 'string':
      return true;
    default:
      throw new Error(`a rule of an unknown type: ${type}`);
  }
}

function read(name: string) {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
}
