/** The columns of notices that were sent. */
import type { BudgetDelivery } from '@pi-ledger/contract/answers';
import { formatCount } from '../../format/count.ts';
import { formatMoment } from '../../format/time.ts';
import { None } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';

const looks = { waiting: 'warn', delivered: 'good', refused: 'bad', 'given up': 'bad' } as const;

export function deliveryColumns(today: string): readonly Column<BudgetDelivery>[] {
  return [
    {
      name: 'due',
      head: 'Due',
      cell: ({ since }) => formatMoment(since, today),
      sortBy: ({ since }) => since,
    },
    {
      name: 'budget',
      head: 'Budget',
      cell: ({ budget }) => <Name of={budget} charsMax={32} />,
      sortBy: ({ budget }) => budget,
    },
    { name: 'state', head: 'State', cell: ({ state }) => state, sortBy: ({ state }) => state },
    {
      name: 'notice',
      head: 'Notice',
      cell: ({ status }) => <span class={`state ${looks[status]}`}>{status}</span>,
      sortBy: ({ status }) => status,
    },
    {
      name: 'notices',
      head: 'Notices',
      isNumber: true,
      goes: 1,
      cell: ({ notices }) => formatCount(notices),
      sortBy: ({ notices }) => notices,
    },
    {
      name: 'attempts',
      head: 'Attempts',
      isNumber: true,
      goes: 1,
      cell: ({ attempts }) => formatCount(attempts),
      sortBy: ({ attempts }) => attempts,
    },
    {
      name: 'answer',
      head: 'Answer',
      cell: ({ detail }) => (detail === null ? <None /> : <Name of={detail} />),
      csv: ({ detail }) => detail ?? '',
    },
    {
      name: 'next',
      head: 'Next attempt',
      goes: 1,
      cell: (row) => nextOf(row, today),
      csv: ({ nextAt }) => nextAt ?? '',
    },
    {
      name: 'to',
      head: 'To',
      goes: 2,
      cell: ({ to }) => <Name of={to} />,
      sortBy: ({ to }) => to,
    },
  ];
}

function nextOf({ status, nextAt }: BudgetDelivery, today: string) {
  if (status !== 'waiting') return <None />;
  return nextAt === null ? 'at once' : formatMoment(nextAt, today);
}
