/** Rows of an answer of the API. */
import { TableSortByFieldStateBuilder } from '@grafana/grafana-foundation-sdk/common';
import type {
  DataTransformerConfig,
  DynamicConfigValue,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/table';
import type { Cell } from './cells.ts';
import type { ApiQuery } from './infinity.ts';
import { type Link, toPage } from './links.ts';
import { noValue } from './look.ts';
import { fromLedger, type Said, type Sized, sized } from './panel.ts';

export interface TableLook {
  readonly width?: number;
  readonly height?: number;
  /** The column that sorts, largest first; else as the API does. */
  readonly sortedBy?: string;
  /** Addresses, by column, beside those of its page: `${__value.raw}` is what stands in it. */
  readonly links?: Readonly<Record<string, readonly Link[]>>;
}

export function table(said: Said, query: ApiQuery, look: TableLook = {}): Sized {
  const { width = 12, height = 8, sortedBy, links = {} } = look;
  return sized(said, fromLedger(query), { width, height }, () => {
    const panel = new PanelBuilder().filterable(false).withTransformation(inOrder(query.cells));
    for (const cell of query.cells)
      panel.overrideByName(cell.name, propertiesOf(cell, links[cell.name]));
    return sortedBy === undefined
      ? panel
      : panel.sortBy([new TableSortByFieldStateBuilder().displayName(sortedBy).desc(true)]);
  });
}

/** Infinity gives columns by their names. */
function inOrder(cells: readonly Cell[]): DataTransformerConfig {
  const indexByName = Object.fromEntries(cells.map(({ name }, index) => [name, index]));
  return { id: 'organize', options: { indexByName, excludeByName: {}, renameByName: {} } };
}

function propertiesOf(
  { name, unit, decimals, width, head, page, isHidden }: Cell,
  further: readonly Link[] = [],
): DynamicConfigValue[] {
  const links = [...(page === undefined ? [] : [toPage(page, name)]), ...further];
  return [
    { id: 'noValue', value: noValue },
    ...(unit === undefined ? [] : [{ id: 'unit', value: unit }]),
    ...(decimals === undefined ? [] : [{ id: 'decimals', value: decimals }]),
    ...(width === undefined ? [] : [{ id: 'custom.width', value: width }]),
    ...(head === undefined ? [] : [{ id: 'displayName', value: head }]),
    ...(links.length === 0 ? [] : [{ id: 'links', value: links }]),
    ...(isHidden === undefined ? [] : [{ id: 'custom.hideFrom.viz', value: true }]),
  ];
}
