/** How often answers failed, with which statuses, and what the host did about it. */
import type { ModelRow } from '@pi-ledger/contract/answers';
import { formatCount, formatShare } from '../../format/count.ts';
import { None } from '../../parts/marks.tsx';
import type { Column } from '../../parts/table-column.ts';
import { count, nameColumns } from './models-table.tsx';

export const errorColumns: readonly Column<ModelRow>[] = [
  ...nameColumns.slice(0, 1),
  count('failed', 'Failed', ({ failedAnswers }) => failedAnswers),
  {
    name: 'share',
    head: '%',
    isNumber: true,
    cell: ({ failedAnswers, answers }) => formatShare(failedAnswers, answers),
    sortBy: ({ failedAnswers, answers }) => (answers === 0 ? null : failedAnswers / answers),
  },
  statuses('statuses', 'Failed by status', ({ failedAnswers }) => failedAnswers),
  { ...count('aborted', 'Aborted', ({ abortedAnswers }) => abortedAnswers), goes: 'second' },
  { ...count('cutOff', 'Cut off', ({ cutOffAnswers }) => cutOffAnswers), goes: 'second' },
  { ...count('retries', 'Retries', ({ retries }) => retries), goes: 'first' },
  { ...count('givenUp', 'Given up', ({ retriesGivenUp }) => retriesGivenUp), goes: 'first' },
  {
    ...statuses('httpErrors', 'HTTP errors', ({ errorResponses }) => errorResponses),
    goes: 'second',
  },
];

const statusesMax = 4;

type Counted = (status: ModelRow['statuses'][number]) => number;

/**
 * An answer fails once, with an entry in the session's file; the host may have had several
 * responses with errors for it, or for one that came in the end.
 */
function statuses(name: string, head: string, countIn: Counted): Column<ModelRow> {
  const words = (row: ModelRow) => statusWords(row, countIn);
  return { name, head, cell: (row) => words(row) || <None />, csv: words };
}

/** `22 with 529, 132 not told` */
function statusWords(row: ModelRow, countIn: Counted): string {
  const counted = row.statuses.filter((status) => countIn(status) > 0);
  const words = counted.slice(0, statusesMax).map((each) => {
    const count = formatCount(countIn(each));
    return each.status === null ? `${count} not told` : `${count} with ${each.status}`;
  });
  const rest = counted.length - words.length;
  return [...words, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
