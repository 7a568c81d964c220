import type { Health } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { None, NotKnown } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { type Step, stepsOf } from './steps.ts';

export function Steps({ of }: { of: Health }): JSX.Element {
  const steps = stepsOf(of);
  if (steps.length === 0)
    return <Empty>n/a: told to those who may read the whole ledger alone.</Empty>;
  return (
    <Table
      name="steps"
      label="From event to page"
      columns={columns}
      rows={steps}
      keyOf={({ name }) => name}
      sort={{ column: 'step', isUp: true }}
    />
  );
}

/** In the order of an event's way: not sorted. */
const columns: readonly Column<Step>[] = [
  { name: 'step', head: 'Step', cell: ({ name }) => <Name of={name} /> },
  {
    name: 'position',
    head: 'Position',
    isNumber: true,
    goes: 1,
    cell: ({ position }) => (position === null ? <NotKnown /> : formatCount(position)),
  },
  {
    name: 'behind',
    head: 'Behind',
    isNumber: true,
    cell: ({ behind }) => (behind === null ? <None /> : formatCount(behind)),
  },
  {
    name: 'state',
    head: 'State',
    cell: ({ state, words }) => (
      <span class={`state ${state}`}>
        <Name of={words} charsMax={120} />
      </span>
    ),
  },
];
