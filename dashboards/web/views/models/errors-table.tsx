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
  {
    name: 'statuses',
    head: 'By status',
    cell: (row) => statusWords(row) || <None />,
    csv: statusWords,
  },
  { ...count('aborted', 'Aborted', ({ abortedAnswers }) => abortedAnswers), goes: 'second' },
  { ...count('cutOff', 'Cut off', ({ cutOffAnswers }) => cutOffAnswers), goes: 'second' },
  { ...count('retries', 'Retries', ({ retries }) => retries), goes: 'first' },
  { ...count('givenUp', 'Given up', ({ retriesGivenUp }) => retriesGivenUp), goes: 'first' },
];

const statusesMax = 4;

/** `22 with 529, 132 not told` */
function statusWords({ statuses }: ModelRow): string {
  const failed = statuses.filter(({ failedAnswers }) => failedAnswers > 0);
  const words = failed
    .slice(0, statusesMax)
    .map(({ status, failedAnswers }) =>
      status === null
        ? `${formatCount(failedAnswers)} not told`
        : `${formatCount(failedAnswers)} with ${status}`,
    );
  const rest = failed.length - words.length;
  return [...words, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
