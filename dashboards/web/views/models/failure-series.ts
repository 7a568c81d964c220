/** Attempts that failed or were broken off, as series of a chart. Pure. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import { columnOf } from '../../charts/spend-series.ts';
import type { StackedSeries } from '../../charts/stack.ts';

const kinds = [
  { stopReason: 'error', name: 'failed', class: 's0' },
  { stopReason: 'aborted', name: 'aborted', class: 's5' },
] as const;

/** `columns`: days or weeks. `rows`: all of them; a column without a row has no such attempt. */
export function failureSeries(
  rows: readonly UsageRow[],
  columns: readonly string[],
): readonly StackedSeries[] {
  return kinds.map(({ stopReason, name, class: color }) => {
    const records = new Map(
      rows
        .filter((row) => row.stopReason === stopReason)
        .map((row) => [columnOf(row), row.records]),
    );
    const above = columns.map((column) => records.get(column) ?? 0);
    return { name, class: color, above, below: [], open: [] };
  });
}
