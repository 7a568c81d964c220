/** What the selectors of Infinity's targets take from an answer. */
import jsonata from 'jsonata';

export interface Selected {
  /** `rows`; `$` is the whole answer. */
  readonly root: string;
  /** By the head of the column: `byBilling.metered.unpricedRecords`. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

const words = new Set(['null', 'true', 'false', 'and', 'or']);

/** Throws for a selector of another form. */
export function selectedBy(selector: string): Selected {
  const [, root, columns] =
    /^\$append\(\[\], (\$|\w+)(?:\[.*?\])?\.\{(.*)\}\)$/s.exec(selector) ?? [];
  if (root === undefined || columns === undefined) throw new Error(`not understood: ${selector}`);
  const parts = columns.split(/(?:^|, )"([\w ]+)": /).slice(1);
  const fields = new Map<string, readonly string[]>();
  for (let part = 0; part < parts.length; part += 2)
    fields.set(parts[part] ?? '', fieldsIn(parts[part + 1] ?? ''));
  return { root, fields };
}

function fieldsIn(expression: string): readonly string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '').replaceAll(/\$\w+/g, '');
  const found = bare.match(/[A-Za-z_]\w*(?:\.\w+)*/g) ?? [];
  return [...new Set(found)].filter((name) => !words.has(name));
}

/** The rows that Infinity makes of an answer, by evaluating the selector. */
export async function rowsOf(selector: string, answer: unknown): Promise<readonly Row[]> {
  const rows: unknown = await jsonata(selector).evaluate(answer);
  if (!Array.isArray(rows)) throw new Error(`no list: ${JSON.stringify(rows)}`);
  return rows;
}

/** By the heads of columns; one without a value is absent. */
export type Row = Readonly<Record<string, unknown>>;

/** The items of a list, or the one object. */
export function rowsAt(answer: unknown, root: string): readonly unknown[] {
  const there = root === '$' ? answer : at(answer, root);
  return Array.isArray(there) ? there : there === undefined ? [] : [there];
}

/** Undefined: there is no such field. Of null, every field is null. */
export function at(value: unknown, path: string): unknown {
  let there = value;
  for (const key of path.split('.')) {
    if (there === null) return null;
    if (typeof there !== 'object') return undefined;
    there = Object.entries(there ?? {}).find(([name]) => name === key)?.[1];
  }
  return there;
}
