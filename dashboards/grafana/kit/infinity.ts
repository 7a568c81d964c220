/**
 * Queries to the collector's API through the Infinity datasource, for which the SDK has no builder.
 * Addresses are relative: the datasource holds the collector's, and the token.
 *
 * https://grafana.com/docs/plugins/yesoreyeram-infinity-datasource/
 */
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import type { DataSourceRef } from '@grafana/grafana-foundation-sdk/common';
import type { Answers, PathOf } from '@pi-ledger/contract/answers';
import { type Cell, type Cells, cellsOf, pathCell } from './cells.ts';
import { ledger } from './datasources.ts';

/** One target, as the plugin stores it. */
interface InfinityQuery extends Dataquery {
  readonly refId: string;
  readonly datasource: DataSourceRef;
  readonly type: 'json';
  readonly source: 'url';
  readonly format: 'table' | 'timeseries';
  /** JSONata, evaluated in Grafana's server. */
  readonly parser: 'backend';
  readonly url: string;
  readonly url_options: { readonly method: 'GET'; readonly data: '' };
  readonly root_selector: string;
  readonly columns: readonly {
    readonly selector: string;
    readonly text: string;
    readonly type: Cell['type'];
  }[];
}

export interface ApiQuery {
  readonly path: PathOf<'GET'>;
  /** With variables of Grafana. */
  readonly url: string;
  /** JSONata: which rows of the answer. */
  readonly root: string;
  readonly cells: readonly Cell[];
  readonly target: Builder<Dataquery>;
}

/** What a root of an answer consists of: the items of a list, or the object itself. */
type RowAt<Answer, Root> = Root extends keyof Answer
  ? NonNullable<Answer[Root]> extends readonly (infer Item)[]
    ? Item
    : NonNullable<Answer[Root]>
  : Answer;

type Parameters = Readonly<Record<string, string | number>>;

/** Whole days, as the spender counts them, that the range of the dashboard touches. */
/** For what takes no last day. */
export const sinceFrom: Parameters = { since: `\${__from:date:YYYY-MM-DD}` };
export const inRange: Parameters = {
  ...sinceFrom,
  until: `\${__to:date:YYYY-MM-DD}`,
};
/** The day, or the month, in which the range ends. */
export const onLastDay: Parameters = {
  since: `\${__to:date:YYYY-MM-DD}`,
  until: `\${__to:date:YYYY-MM-DD}`,
};
export const inLastMonth: Parameters = {
  since: `\${__to:date:YYYY-MM-01}`,
  until: `\${__to:date:YYYY-MM-DD}`,
};
export const ofProject: Parameters = { project: `\${project:percentencode}` };

/**
 * Asks for `path` and makes a row of every item of `root`; `$` is the whole answer.
 *
 * @param filter JSONata: which of them
 */
export function ask<
  Path extends PathOf<'GET'>,
  Root extends (keyof Answers[`GET ${Path}`] & string) | '$',
>(
  path: Path,
  root: Root,
  parameters: Parameters,
  columns: (cell: Cells<RowAt<Answers[`GET ${Path}`], Root>>) => readonly Cell[],
  filter = '',
): ApiQuery {
  const shown = columns(cellsOf<RowAt<Answers[`GET ${Path}`], Root>>());
  const linked = shown.filter(({ page }) => page !== undefined);
  const cells = [...shown, ...linked.map(pathCell)];
  const asked = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  const url = asked.length === 0 ? path : `${path}?${asked.join('&')}`;
  const rows = `${root}${filter}`;
  return { path, url, root: rows, cells, target: { build: () => targetOf(url, rows, cells) } };
}

/** Rows of the projects that the variable names; JSONata, for answers that have a project. */
export const whereProject = `[$contains($string(project), /^(\${project:regex})$/)]`;

function targetOf(url: string, root: string, cells: readonly Cell[]): InfinityQuery {
  const fields = cells.map(({ name, jsonata }) => `"${name}": ${jsonata}`);
  return {
    _implementsDataqueryVariant: () => undefined,
    refId: 'A',
    datasource: ledger,
    type: 'json',
    source: 'url',
    format: 'table',
    parser: 'backend',
    url,
    url_options: { method: 'GET', data: '' },
    // An empty list stays one. A selector that began with the list's name would be read as GJSON.
    root_selector: `$append([], ${root}.{${fields.join(', ')}})`,
    columns: cells.map(({ name, type }) => ({ selector: name, text: name, type })),
  };
}
