/** What queries over MongoDB's collections have in common. */

import type { Condition } from '../../../views/views.ts';
import { encodeBound, encodeField } from './fields.ts';

export function comparison(name: string, is: Condition['is'], values: Condition['values']): object {
  if (is === 'in') return { $in: values.map((value) => encodeField(name, value)) };
  return { [is === 'from' ? '$gte' : '$lt']: encodeBound(name, values[0]) };
}

/**
 * A name that is not there is the caller's mistake: the server would take it for a field that no
 * document has.
 */
export function expectKnown(name: string, known: readonly string[]): string {
  if (!known.includes(name))
    throw new Error(`There is no column ${name}: expected one of ${known.join(', ')}.`);
  return name;
}
