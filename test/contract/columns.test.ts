import type { ModelRow, ToolRow } from '@pi-ledger/contract/answers';
import { modelColumns, requestColumns, toolColumns } from '@pi-ledger/contract/answers';
import { type AnyColumn, type ColumnOf, tableOf } from '@pi-ledger/contract/columns';
import * as compactions from '@pi-ledger/contract/columns/compactions';
import * as models from '@pi-ledger/contract/columns/models';
import { modelTable } from '@pi-ledger/contract/columns/models';
import * as requests from '@pi-ledger/contract/columns/requests';
import { requestTable } from '@pi-ledger/contract/columns/requests';
import * as sessions from '@pi-ledger/contract/columns/sessions';
import * as tools from '@pi-ledger/contract/columns/tools';
import { toolTable } from '@pi-ledger/contract/columns/tools';
import * as usage from '@pi-ledger/contract/columns/usage';
import { describe, expect, it } from 'vitest';
import { tableColumns } from '../../collector/cli/output/answer-columns.ts';

const lists = Object.entries({
  ...{ ...compactions, ...models, ...requests },
  ...{ ...sessions, ...tools, ...usage },
});

describe('the columns of a question', () => {
  it.each(lists)('have a key each, and begin with one that always stays: %s', (_, { columns }) => {
    const keys = columns.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect((columns as readonly AnyColumn[])[0]?.drops ?? 0).toBe(0);
  });

  it.each([
    ['models', modelTable.columns, modelColumns],
    ['requests', requestTable.columns, requestColumns],
    ['tools', toolTable.columns, toolColumns],
  ])('show nothing that the CSV of %s has not', (_, columns: readonly AnyColumn[], csv) => {
    for (const column of columns)
      for (const path of pathsOf(column))
        expect(csv.filter((name) => name === path || name.startsWith(`${path}.`))).not.toEqual([]);
  });

  it('are a type error in `npm run check` where a key, a path or a cell is wrong', () => {
    const rows: readonly ModelRow[] = [];
    const cells = { statuses: () => '', httpErrors: () => '' };
    const wrong: readonly (() => unknown)[] = [
      // @ts-expect-error No list has this key.
      () => tableColumns(modelTable, { rows, cells: { ...cells, status: () => '' } }),
      // @ts-expect-error Nobody says what stands in the column of HTTP errors.
      () => tableColumns(modelTable, { rows, cells: { statuses: () => '' } }),
      // @ts-expect-error The rows are of another question.
      () => tableColumns(toolTable, { rows, cells: {} }),
      // @ts-expect-error The answer has no such field.
      () => tableOf<ToolRow>()([{ key: 'a', title: 'a', is: 'count', of: 'call' }]),
      // @ts-expect-error The field is no count.
      () => tableOf<ToolRow>()([{ key: 'a', title: 'a', is: 'count', of: 'durationP50' }]),
      // @ts-expect-error Tools have no figures of spend.
      (): ColumnOf<ToolRow> => ({ key: 'a', title: 'a', is: 'amount', billing: 'metered' }),
    ];
    expect(tableColumns(modelTable, { rows, cells }).length).toBeGreaterThan(0);
    expect(wrong).toHaveLength(6);
  });
});

function pathsOf(column: AnyColumn): readonly string[] {
  if (!('of' in column)) return [];
  return typeof column.of === 'string' ? [column.of] : column.of;
}
