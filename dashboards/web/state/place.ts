/**
 * Where somebody is in the page: the view, what it shows, and the parameters. All of it stands in
 * the URL, so that every state can be linked to.
 */
import { allViewNames, type ViewName } from '../views/names.ts';
import { idOfPath, pathOfId } from './place-id.ts';

/** The parameters that are known; each may be absent. */
export type Parameters = Readonly<Record<string, string>>;

export interface Place {
  readonly view: ViewName;
  /** `/projects/NAME` and `/sessions/ID` have one; null: the list; empty: what is not known. */
  readonly id: string | null;
  readonly parameters: Parameters;
}

/** Returns null when no view has this path. `url`: path and query. */
export function placeOf(url: string): Place | null {
  const { pathname, searchParams } = new URL(url, 'http://page');
  const [head = '', ...rest] = pathname.slice(1).split('/');
  const view = head === '' ? 'overview' : allViewNames.find((name) => name === head);
  if (view === undefined || head === 'overview') return null;
  const id = idOfPath(rest.join('/'));
  if (id === undefined) return null;
  return { view, id, parameters: Object.fromEntries(searchParams) };
}

export function urlOf({ view, id, parameters }: Place): string {
  const path = view === 'overview' ? '/' : `/${view}${id === null ? '' : `/${pathOfId(id)}`}`;
  const query = new URLSearchParams(Object.entries(parameters)).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The same place with these parameters; null takes one away. */
export function withParameters(
  place: Place,
  changes: Readonly<Record<string, string | null>>,
): Place {
  const kept = Object.entries({ ...place.parameters, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return { ...place, parameters: Object.fromEntries(kept) };
}

/** What goes along from view to view: the scope. */
export function scopeOf({ parameters }: Place): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).filter(
      ([name]) => scopeParameters.has(name) || name.startsWith('label:'),
    ),
  );
}

const scopeParameters: ReadonlySet<string> = new Set([
  'range',
  'project',
  'user',
  'provider',
  'model',
  'host',
  'tz',
]);
