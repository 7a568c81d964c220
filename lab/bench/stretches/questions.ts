/**
 * Every question of the API that has an answer: each route of the served OpenAPI document with its
 * longest page, once for each word that one of its parameters takes, and with what is costly.
 */
import { groupings } from '@pi-ledger/contract/groupings';
import { rowDimensions } from '@pi-ledger/contract/row-dimensions';
import { type Operation, readDocument } from '../../attack/support/document.ts';

export interface Question {
  /** With its parameters in braces. */
  readonly route: string;
  readonly target: string;
}

/** Ids for the parameters in paths. */
export type Ids = Readonly<Record<string, readonly string[]>>;

/** A stream that does not end. */
const endless = '/v1/live';
const limitMax = 1_000;
/** `context=include` takes no more. */
const contextsMax = 50;

const several = ['/v1/models', '/v1/usage?by=model', '/v1/tools'].map(encodeURIComponent);

const further: Readonly<Record<string, readonly string[]>> = {
  '/v1/answers': [`ask=${several.join('&ask=')}`],
  '/v1/models/days': ['since=2026-11-20&until=2026-11-20'],
  '/v1/sessions': [
    `context=include&limit=${contextsMax}`,
    'label=ticket%3Dhostile-00007',
    `sort=metered&total=include&format=csv&limit=${limitMax}`,
  ],
  '/v1/usage': [
    ...[
      ...groupings,
      'label:ticket',
      'model,day',
      'project,model',
      'user,day',
      'model,agent,branch',
    ].flatMap((by) =>
      ['', '&lastDay=include', '&sessions=include', '&timezone=Europe/Berlin'].map(
        (more) => `by=${by}${more}&limit=${limitMax}`,
      ),
    ),
    `by=model&label=ticket%3D&limit=${limitMax}`,
    `by=model&format=csv&limit=${limitMax}`,
  ],
  '/v1/usage/rows': [
    ...rowDimensions.map((name) => `by=${name}`),
    rowDimensions.map((name) => `by=${name}`).join('&'),
  ].flatMap((by) => ['', '&format=csv'].map((more) => `${by}${more}&limit=${limitMax}`)),
};

export function questionsIn(document: string, ids: Ids): readonly Question[] {
  const { operations } = readDocument(document);
  const asked = operations.filter(({ method, path }) => method === 'GET' && path !== endless);
  return [
    ...asked.flatMap((operation) =>
      queriesOf(operation).flatMap((query) =>
        targetsOf(operation, ids).map((target) => ({
          route: operation.path,
          target: query === '' ? target : `${target}?${query}`,
        })),
      ),
    ),
    ...['/', '/metrics', '/openapi.json'].map((target) => ({ route: target, target })),
  ];
}

function queriesOf({ path, parameters }: Operation): readonly string[] {
  const required = parameters.some((each) => each.required && each.in === 'query');
  const limit = parameters.find(({ name }) => name === 'limit')?.schema.maximum;
  const page = limit === undefined ? [] : [`limit=${limit}`];
  const words = parameters.flatMap(({ name, schema }) => {
    const values = schema.enum ?? schema.items?.enum ?? [];
    const tooMany = name === 'context';
    return tooMany ? [] : values.map((value) => [`${name}=${value}`, ...page].join('&'));
  });
  return [...(required ? [] : [page.join('&'), ...words]), ...(further[path] ?? [])];
}

function targetsOf({ path, parameters }: Operation, ids: Ids): readonly string[] {
  const place = parameters.find((each) => each.in === 'path');
  if (place === undefined) return [path];
  const known = ids[path];
  if (known === undefined) throw new Error(`no id for ${path}`);
  return known.map((id) => path.replace(`{${place.name}}`, encodeURIComponent(id)));
}
