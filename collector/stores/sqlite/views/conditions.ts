/** Conditions of queries as SQL, with bound values. */
import type { Scalar } from '../../../projections/projection.ts';
import type { Condition } from '../../../views/views.ts';
import { quote } from './tables.ts';

export interface Sql {
  readonly text: string;
  readonly values: readonly Scalar[];
}

export function whereText(conditions: readonly Sql[]): string {
  return conditions.length === 0
    ? ''
    : `WHERE ${conditions.map(({ text }) => `(${text})`).join(' AND ')}`;
}

export function compare(column: string, { is, values }: Condition): Sql {
  const name = quote(column);
  if (is !== 'in')
    return { text: `${name} ${is === 'from' ? '>=' : '<'} ?`, values: values.slice(0, 1) };
  const present = values.filter((value) => value !== null);
  const isPresent = `${name} IN (${present.map(() => '?').join(', ')})`;
  return {
    text: values.length === present.length ? isPresent : `${isPresent} OR ${name} IS NULL`,
    values: present,
  };
}

/** They are conditions on a rollup's dimensions, whose words are in the table `words`. */
export function wordConditions(words: string, where: readonly Condition[]): readonly Sql[] {
  const byColumn = Map.groupBy(where, ({ column }) => column);
  return [...byColumn].map(([column, all]) => isWord(words, column, all));
}

/** All conditions on a dimension in one lookup of its words, since a range has two ends. */
function isWord(words: string, dimension: string, conditions: readonly Condition[]): Sql {
  const parts = conditions.map((condition) => compare('word', condition));
  const all = parts.map(({ text }) => `(${text})`).join(' AND ');
  return {
    text: `${quote(dimension)} IN (SELECT id FROM ${words} WHERE dimension = ? AND ${all})`,
    values: [dimension, ...parts.flatMap(({ values }) => values)],
  };
}

/**
 * An unknown name is a mistake of the caller, and must not reach SQL, which reads an unknown quoted
 * name as a text.
 */
export function expectKnown(name: string, known: readonly string[]): string {
  if (!known.includes(name))
    throw new Error(`No column ${name}: expected one of ${known.join(', ')}.`);
  return name;
}
