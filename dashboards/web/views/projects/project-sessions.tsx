/** The sessions of a project: each with what it spent in all, not only in the period. */

import type { Session } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { formatCount, ofAll } from '../../format/count.ts';
import { csvUsd, usdOf } from '../../format/money.ts';
import { lastedMs, shortId } from '../../format/session.ts';
import { amountOf, nanoUsdOf } from '../../format/spend.ts';
import { formatDuration, formatMoment } from '../../format/time.ts';
import { Bar } from '../../parts/bar.tsx';
import { Choices, chosen } from '../../parts/choices.tsx';
import { CsvFile } from '../../parts/csv-file.tsx';
import { Link } from '../../parts/link.tsx';
import { None } from '../../parts/marks.tsx';
import { MoneyOrNone } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { csvOf } from '../../parts/table-rows.ts';
import { everyRow } from '../../state/every-row.ts';
import { useAnswer, usePage } from '../../state/page.ts';
import type { ViewProps } from '../view.ts';
import { costliestBy, sessionsAsk, totalAsk } from './asks.ts';

const orders = [
  { value: 'newest', words: 'newest' },
  { value: 'costliest', words: 'costliest' },
] as const;

export function ProjectSessions(view: ViewProps): JSX.Element {
  const total = useAnswer(totalAsk(view.place, view.today));
  if (total.answer !== null)
    return <Sessions {...view} billing={costliestBy(total.answer.total)} />;
  return (
    <Section title="Sessions" width={7}>
      <Held of={total}>{() => null}</Held>
    </Section>
  );
}

const byWords = {
  metered: 'metered',
  subscription: 'subscription, list price',
  unknown: 'billing unknown',
};

/** `billing`: what the costliest are told by. */
function Sessions({ place, today, billing }: ViewProps & { billing: Billing }): JSX.Element {
  const { answers } = usePage();
  const sessions = useAnswer(sessionsAsk(place, today, billing));
  const rows = sessions.answer?.rows ?? [];
  const order = chosen(place.parameters.order, orders, 'costliest');
  const all = sessions.answer?.total ?? null;
  const by = order === 'costliest' ? ` (${byWords[billing]})` : '';
  const csv = async () => {
    const every = await everyRow(answers, (cursor) => sessionsAsk(place, today, billing, cursor));
    return csvOf(columnsOf(every, today.day, billing), every);
  };
  return (
    <Section
      title="Sessions"
      note={all === null ? '' : `${ofAll(rows.length, all)}, ${order} first${by}; each as a whole`}
      end={
        <>
          <Choices parameter="order" among={orders} otherwise="costliest" />
          <CsvFile text={csv} />
        </>
      }
      width={7}
    >
      <Held of={sessions}>
        {(answer) =>
          answer.rows.length === 0 ? (
            <NothingFits what="session" />
          ) : (
            <Table
              key={order + billing}
              name="sessions"
              label="Sessions"
              columns={columnsOf(answer.rows, today.day, billing)}
              rows={answer.rows}
              all={answer.total ?? null}
              first={10}
              keyOf={({ id }) => id}
              sort={{ column: order === 'costliest' ? billing : 'began', isUp: false }}
            />
          )
        }
      </Held>
    </Section>
  );
}

function columnsOf(
  rows: readonly Session[],
  today: string,
  billing: Billing,
): readonly Column<Session>[] {
  const usd = (row: Session) => usdOf(nanoUsdOf(row, billing));
  const most = Math.max(0, ...rows.map(usd));
  const hasUnknown = rows.some((row) => amountOf(row, 'unknown').nanoUsd !== 0n);
  const bar: Column<Session> = {
    name: 'bar',
    head: <span class="unseen">{byWords[billing]}, as a bar</span>,
    goes: 2,
    cell: (row) => <Bar part={usd(row)} most={most} />,
    sortBy: usd,
    isDrawn: true,
  };
  const amounts = [
    money('metered', 'Metered'),
    money('subscription', 'Subscr.'),
    ...(hasUnknown ? [money('unknown', 'Unknown')] : []),
  ];
  return [
    {
      name: 'session',
      head: 'Session',
      cell: ({ id }) => (
        <Link view="sessions" id={id} class="mono">
          {shortId(id)}
        </Link>
      ),
      csv: ({ id }) => id,
    },
    text('branch', 'Branch', ({ branch }) => branch),
    text('person', 'Person', ({ user }) => user),
    {
      name: 'began',
      head: 'Began',
      goes: 1,
      cell: ({ startedAt }) => formatMoment(startedAt, today),
      sortBy: ({ startedAt }) => startedAt,
    },
    {
      name: 'lasted',
      head: 'Lasted',
      isNumber: true,
      goes: 2,
      cell: (row) => formatDuration(lastedMs(row)),
      sortBy: lastedMs,
      unit: 'ms',
    },
    count('turns', 'Turns', ({ turns }) => turns),
    count('compactions', 'Comp.', ({ compactions }) => compactions),
    ...amounts.flatMap((column) => (column.name === billing ? [column, bar] : [column])),
  ];
}

function text(name: string, head: string, of: (row: Session) => string | null): Column<Session> {
  return { name, head, goes: 2, cell: (row) => <Name of={of(row)} />, sortBy: of };
}

function count(name: string, head: string, of: (row: Session) => number): Column<Session> {
  const cell = (row: Session) => (of(row) === 0 ? <None /> : formatCount(of(row)));
  return { name, head, isNumber: true, goes: 2, cell, sortBy: of };
}

function money(billing: Billing, head: string): Column<Session> {
  return {
    name: billing,
    head,
    isNumber: true,
    cell: (row) => <MoneyOrNone {...amountOf(row, billing)} />,
    sortBy: (row) => amountOf(row, billing).nanoUsd,
    csv: (row) => csvUsd(amountOf(row, billing).nanoUsd),
    unit: 'USD',
  };
}
