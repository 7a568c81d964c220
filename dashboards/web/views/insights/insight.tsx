/** Exactly the rows that something that needs attention has counted. */
import type { Insight } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { ofAll } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { shortId } from '../../format/session.ts';
import { CsvFile } from '../../parts/csv-file.tsx';
import { Link } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { Name, visible } from '../../parts/name.tsx';
import { CopyCommand } from '../../parts/own-command.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswer } from '../../state/page.ts';
import { placeOfRow } from '../overview/attention.ts';
import type { ViewProps } from '../view.ts';
import { insightAsk } from './asks.ts';

type Row = Insight['rows'][number];

export function InsightRows({ place, today }: ViewProps): JSX.Element {
  const asked = insightAsk(place, today);
  const held = useAnswer(asked);
  const insight = held.answer?.rows[0];
  return (
    <>
      <h1>
        <bdi>{insight === undefined ? 'Needs attention' : visible(insight.title)}</bdi>
      </h1>
      <Held of={held}>
        {({ rows: [found] }) =>
          found === undefined ? (
            <Empty>
              This does not stand out in these days. <Link view="overview">What does</Link>
            </Empty>
          ) : (
            <Rows of={found} request={asked.url} />
          )
        }
      </Held>
    </>
  );
}

function Rows({ of, request }: { of: Insight; request: string }): JSX.Element {
  const columns = columnsOf(of);
  return (
    <>
      <Section
        title="Counted"
        note={of.reason === null ? undefined : <bdi>{visible(of.reason)}</bdi>}
        end={
          <>
            <CsvFile text={() => csvOf(columns, of.rows)} />
            <CopyCommand of={() => of.command} />
          </>
        }
      >
        <Table
          name="insight"
          label="Counted"
          columns={columns}
          rows={of.rows}
          keyOf={({ is, id }) => `${is} ${id}`}
          sort={{ column: 'amount', isUp: false }}
          hasTotals
        />
        {of.rowsInAll > of.rows.length && (
          <p class="more">{ofAll(of.rows.length, of.rowsInAll)}: the largest.</p>
        )}
      </Section>
      <SameNumbers command={of.command} request={request} />
    </>
  );
}

function columnsOf({ rows, nanoUsd, bound, isChange }: Insight): readonly Column<Row>[] {
  const mark = { mark: bound, isChange } as const;
  const amountOf = (row: Row) => (row.nanoUsd === null ? null : BigInt(row.nanoUsd));
  return [
    {
      name: 'row',
      head: heads[rows[0]?.is ?? 'session'],
      cell: (row) => <RowName of={row} />,
      sortBy: ({ id }) => id,
    },
    {
      name: 'amount',
      head: isChange ? 'Change' : 'Amount',
      isNumber: true,
      cell: (row) => <Money nanoUsd={amountOf(row)} {...mark} />,
      sortBy: amountOf,
      csv: (row) => csvUsd(amountOf(row)),
      unit: 'USD',
      total: <Money nanoUsd={nanoUsd === null ? null : BigInt(nanoUsd)} {...mark} />,
    },
    {
      name: 'figures',
      head: 'What was counted',
      cell: ({ text }) => <bdi class="quiet">{visible(text)}</bdi>,
      csv: ({ text }) => text,
      goes: 1,
    },
  ];
}

const heads: Readonly<Record<Row['is'], string>> = {
  session: 'Session',
  compaction: 'Compaction',
  entry: 'Result',
  project: 'Project',
  branch: 'Branch',
  model: 'Model',
  user: 'Person',
};

function RowName({ of }: { of: Row }): JSX.Element {
  const { is, id } = of;
  const name = is === 'session' ? shortId(id) : id;
  const shown = <Name of={name === '' ? null : name} charsMax={60} />;
  const to = placeOfRow(of);
  return to === null ? (
    shown
  ) : (
    <Link {...to} class={is === 'session' ? 'link mono' : 'link'}>
      {shown}
    </Link>
  );
}
