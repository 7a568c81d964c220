import type { Session } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { sessionTable } from '../../../../contract/answers/sessions/columns.ts';
import { commandOf } from '../../format/command.ts';
import { ofAll } from '../../format/count.ts';
import { lastedMs, shortId } from '../../format/session.ts';
import { formatDuration } from '../../format/time.ts';
import { pageColumns } from '../../parts/answer-columns.tsx';
import { CsvFile } from '../../parts/csv-file.tsx';
import { Link } from '../../parts/link.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { CopyCommand } from '../../parts/own-command.tsx';
import { ProjectBranch, projectGoes } from '../../parts/project-branch.tsx';
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
  const columns = columnsOn(rows, today.day);
  const command = `pi-ledger sessions --limit ${sessionsShown}`;
  return (
    <Section
      title="Newest sessions"
      note={<>{all != null && `${ofAll(rows.length, all)} in these days, `}each as a whole</>}
      width={7}
      end={
        <>
          <CsvFile text={() => csvOf(columns, rows)} />
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

function columnsOn(rows: readonly Session[], today: string): readonly Column<Session>[] {
  return pageColumns(sessionTable, { rows, today, cells, only });
}

const only = [
  ...(['session', 'project', 'metered', 'subscription', 'unknown'] as const),
  ...(['lastSeen', 'lasted', 'user', 'turns'] as const),
];

const cells = {
  session: {
    cell: ({ id }: Session) => (
      <Link view="sessions" id={id} class="plain mono">
        {shortId(id)}
      </Link>
    ),
  },
  project: {
    head: 'Project, branch',
    goes: projectGoes,
    cell: ({ project, branch }: Session) => <ProjectBranch {...{ project, branch, charsMax }} />,
    facts: [
      { name: 'project', sortBy: (row: Session) => row.project },
      { name: 'branch', sortBy: (row: Session) => row.branch },
    ],
  },
  lasted: { cell: (row: Session) => formatDuration(lastedMs(row)), sortBy: lastedMs, unit: 'ms' },
};
