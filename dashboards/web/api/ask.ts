/**
 * A question to the API, by its URL, with the type of its answer. Views make them of a place, so
 * that the collector can put the answers into the page before it is asked.
 */
import type { Answers, PathOf } from '@pi-ledger/contract/answers';

/** A path and query, such as `/v1/usage?by=day`. */
export interface Ask<Answer> {
  readonly url: string;
  /** Holds the type; there is no such property. */
  readonly answer?: Answer;
}

/** What is undefined or empty is not asked. */
export type AskParameters = Readonly<
  Record<string, string | number | readonly string[] | undefined>
>;

/** Each `{name}` of the path is taken from `parameters`, the others stand in the query. */
export function ask<Path extends PathOf<'GET'>>(
  path: Path,
  parameters: AskParameters = {},
): Ask<Answers[`GET ${Path}`]> {
  const inPath = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(parameters[name]));
  });
  const query = new URLSearchParams(
    Object.entries(parameters)
      .filter(([name]) => !inPath.has(name))
      .flatMap(([name, value]) =>
        valuesOf(value).map((each): [string, string] => [name, String(each)]),
      ),
  );
  return { url: query.size === 0 ? filled : `${filled}?${query}` };
}

function valuesOf(value: AskParameters[string]): readonly (string | number)[] {
  if (value === undefined) return [];
  return typeof value === 'string' || typeof value === 'number' ? [value] : value;
}
