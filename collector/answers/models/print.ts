/** `pi-ledger models` as a table. */

import type { ModelFigures, ModelList, ModelRow } from '@pi-ledger/contract/answers';
import { modelTable, unpricedTable } from '@pi-ledger/contract/columns/models';
import { table } from '../../cli/output/answer.ts';
import { tableColumns } from '../../cli/output/answer-columns.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';
import { percentilesNote } from '../../cli/output/percentiles.ts';
import { usageNotes } from '../spend/print.ts';

export function modelsTable({ rows, total }: ModelList): Table {
  const cells = {
    statuses: statusText(({ failedAnswers }) => failedAnswers),
    httpErrors: statusText(({ errorResponses }) => errorResponses),
  };
  const totals = [{ ...total, model: 'total', provider: '' }];
  return table({ columns: tableColumns(modelTable, { rows, total, cells }), rows, totals });
}

export function modelsNotes({ total }: ModelList): readonly Note[] {
  return [...(total.timedAnswers > 0 ? [percentilesNote] : []), ...usageNotes(total)];
}

/** Models that have records without a price, and how many. */
export function unpricedModels({ rows }: ModelList): Table {
  return table({ columns: tableColumns(unpricedTable, { rows, cells: {} }), rows });
}

export const unpricedNotes: readonly Note[] = [
  { text: "hosts price answers: set the model's cost in pi's models.json or omp's models.yml" },
  { text: 'what is recorded stays as it is; at other prices', next: 'pi-ledger reprice' },
];

type Counted = (status: ModelFigures['statuses'][number]) => number;

/**
 * `529 ×3, unknown ×1`. An answer fails once, with an entry in the session's file; the host may
 * have had several responses with errors for it, or for one that came in the end.
 */
function statusText(countIn: Counted): (row: ModelRow) => string {
  return ({ statuses }) =>
    statuses
      .filter((status) => countIn(status) > 0)
      .map((status) => `${status.status ?? 'unknown'} ×${countIn(status)}`)
      .join(', ');
}

/** `2 models`. */
export function modelsText({ rows }: ModelList): string {
  return countOf(rows.length, 'model');
}
