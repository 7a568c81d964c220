/** Conditions of queries as MongoDB filters. */

import type { Condition } from '../../../views/views.ts';
import { encodeBound, encodeField } from './fields.ts';

export function comparison(name: string, is: Condition['is'], values: Condition['values']): object {
  if (is === 'in') return { $in: values.map((value) => encodeField(name, value)) };
  return { [is === 'from' ? '$gte' : '$lt']: encodeBound(name, values[0]) };
}

/** An unknown name is a mistake of the caller; the server would take it for a missing field. */
export function expectKnown(name: string, known: readonly string[]): string {
  if (!known.includes(name))
    throw new Error(`No column ${name}: expected one of ${known.join(', ')}.`);
  return name;
}
