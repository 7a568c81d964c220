import type { JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { formatDuration, formatMoment } from '../../format/time.ts';
import { CsvFile } from '../../parts/csv-file.tsx';
import { None, NotKnown } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswer } from '../../state/page.ts';
import { producersAsk } from './asks.ts';
import { type Machine, machinesOf, troublesOf } from './machines.ts';

export function Machines({ today }: { today: string }): JSX.Element {
  const producers = useAnswer(producersAsk);
  const rows = machinesOf(producers.answer?.rows ?? []);
  const columns = columnsOf(today);
  const count = producers.answer?.rows.length ?? 0;
  const note =
    producers.answer?.next === null ? `${count} processes` : `the newest ${count} processes`;
  return (
    <Section
      title="Machines"
      note={producers.answer === null ? undefined : note}
      end={rows.length > 0 && <CsvFile text={() => csvOf(columns, rows)} />}
    >
      <Held of={producers}>
        {() =>
          rows.length === 0 ? (
            <Empty>Nothing has sent events yet.</Empty>
          ) : (
            <Table
              name="machines"
              label="Machines"
              columns={columns}
              rows={rows}
              keyOf={({ key }) => key}
              sort={{ column: 'last', isUp: false }}
            />
          )
        }
      </Held>
    </Section>
  );
}

function columnsOf(today: string): readonly Column<Machine>[] {
  return [
    {
      name: 'machine',
      head: 'Machine',
      cell: ({ name, isImport }) => (
        <>
          <Name of={name} /> {isImport && <span class="quiet">from files</span>}
        </>
      ),
      sortBy: ({ name }) => name,
    },
    {
      name: 'people',
      head: 'People',
      goes: 1,
      cell: ({ users }) => <Name of={users.join(', ')} />,
      sortBy: ({ users }) => users.join(', '),
    },
    {
      name: 'host',
      head: 'Host',
      goes: 1,
      cell: ({ host }) => <Name of={host} />,
      sortBy: ({ host }) => host,
    },
    {
      name: 'last',
      head: 'Last event',
      goes: 1,
      cell: ({ lastSeenAt }) => formatMoment(lastSeenAt, today),
      sortBy: ({ lastSeenAt }) => lastSeenAt,
    },
    {
      name: 'delay',
      head: 'Delay p50',
      isNumber: true,
      goes: 1,
      cell: ({ delayMs, isImport }) => {
        if (delayMs === null) return isImport ? <None /> : <NotKnown />;
        return formatDuration(delayMs);
      },
      sortBy: ({ delayMs }) => delayMs,
    },
    count('processes', 'Processes', ({ processes }) => processes, 1),
    count('events', 'Events', ({ events }) => events, 2),
    count('missing', 'Missing', ({ missing }) => missing, 1),
    count('dropped', 'Dropped', ({ dropped }) => dropped, 1),
    {
      name: 'state',
      head: 'State',
      cell: (row) => <State of={row} />,
      csv: (row) => troublesOf(row).join(', '),
    },
  ];
}

function count(
  name: string,
  head: string,
  of: (row: Machine) => number,
  goes: 1 | 2,
): Column<Machine> {
  return { name, head, goes, isNumber: true, cell: (row) => formatCount(of(row)), sortBy: of };
}

function State({ of }: { of: Machine }): JSX.Element {
  const troubles = troublesOf(of);
  return troubles.length === 0 ? (
    <span class="state good">ok</span>
  ) : (
    <span class="state warn">{troubles.join(', ')}</span>
  );
}
