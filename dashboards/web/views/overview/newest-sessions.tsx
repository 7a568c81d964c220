import type { Session } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { commandOf } from '../../format/command.ts';
import { ofAll } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { lastedMs, shortId } from '../../format/session.ts';
import { amountOf } from '../../format/spend.ts';
import { formatDuration, formatMoment } from '../../format/time.ts';
import { Copy } from '../../parts/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { MoneyOrNone } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { CopyCommand } from '../../parts/own-command.tsx';
import { ProjectBranch } from '../../parts/project-branch.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswer } from '../../state/page.ts';
import { periodIn } from '../../state/scope.ts';
import type { ViewProps } from '../view.ts';
import { sessionsAsk, sessionsShown } from './asks.ts';

export function NewestSessions({ place, today }: ViewProps): JSX.Element {
  const sessions = useAnswer(sessionsAsk(place, today));
  const rows = sessions.answer?.rows ?? [];
  const all = sessions.answer?.total;
  const columns = columnsOn(today.day);
  const command = `pi-ledger sessions --limit ${sessionsShown}`;
  return (
    <Section
      title="Newest sessions"
      note={<>{all != null && `${ofAll(rows.length, all)} in these days, `}each as a whole</>}
      width={7}
      end={
        <>
          <Copy words="CSV" text={() => csvOf(columns, rows)} />
          <CopyCommand of={() => commandOf(command, place, periodIn(place, today))} />
          <Link view="sessions">All</Link>
        </>
      }
    >
      <div class={sessions.answer === null ? 'waiting newest' : undefined}>
        <Held of={sessions}>
          {(answer) =>
            answer.rows.length === 0 ? (
              <NothingFits what="session" />
            ) : (
              <Table
                name="session"
                label="Newest sessions"
                columns={columns}
                rows={answer.rows}
                keyOf={(row) => row.id}
                sort={{ column: 'lastSeen', isUp: false }}
              />
            )
          }
        </Held>
      </div>
    </Section>
  );
}

/** A project is cut at this length: a path must not push what was spent out of sight. */
const charsMax = 28;

function columnsOn(today: string): readonly Column<Session>[] {
  return [
    {
      name: 'session',
      head: 'Session',
      cell: ({ id }) => (
        <Link view="sessions" id={id} class="plain mono">
          {shortId(id)}
        </Link>
      ),
      csv: ({ id }) => id,
    },
    {
      name: 'project',
      head: 'Project, branch',
      cell: ({ project, branch }) => <ProjectBranch {...{ project, branch, charsMax }} />,
      sortBy: ({ project }) => project,
    },
    {
      name: 'user',
      head: 'Person',
      goes: 'second',
      cell: ({ user }) => <Name of={user} />,
      sortBy: ({ user }) => user,
    },
    {
      name: 'lastSeen',
      head: 'Last seen',
      cell: ({ lastSeenAt }) => formatMoment(lastSeenAt, today),
      sortBy: ({ lastSeenAt }) => lastSeenAt,
    },
    {
      name: 'lasted',
      head: 'Lasted',
      isNumber: true,
      goes: 'second',
      cell: (row) => formatDuration(lastedMs(row)),
      sortBy: lastedMs,
    },
    {
      name: 'turns',
      head: 'Turns',
      isNumber: true,
      goes: 'second',
      cell: ({ turns }) => turns,
      sortBy: ({ turns }) => turns,
    },
    money('metered', 'Metered'),
    { ...money('subscription', 'Subscr.'), goes: 'second' },
  ];
}

function money(billing: Billing, head: string): Column<Session> {
  return {
    name: billing,
    head,
    isNumber: true,
    cell: (row) => <MoneyOrNone {...amountOf(row, billing)} />,
    sortBy: (row) => amountOf(row, billing).nanoUsd,
    csv: (row) => csvUsd(amountOf(row, billing).nanoUsd),
  };
}
