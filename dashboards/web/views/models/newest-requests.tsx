/** The newest requests of all sessions, or those that failed. */

import type { Request } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { requestTable } from '../../../../contract/answers/requests/columns.ts';
import { commandOf, withoutLabels } from '../../format/command.ts';
import { formatMoment } from '../../format/time.ts';
import { pageColumns } from '../../parts/answer-columns.tsx';
import { Choices } from '../../parts/choices.tsx';
import { CsvFile } from '../../parts/csv-file.tsx';
import { Link } from '../../parts/link.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { CopyCommand } from '../../parts/own-command.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswer } from '../../state/page.ts';
import { periodIn } from '../../state/scope.ts';
import type { ViewProps } from '../view.ts';
import { notNarrowedBy, requestChoices, requestsAsk, requestsOf, requestsShown } from './asks.ts';

export function NewestRequests({ place, today }: ViewProps): JSX.Element {
  const requests = useAnswer(requestsAsk(place, today));
  const columns = columnsOf(requests.answer?.rows ?? [], today.day);
  const isOfFailed = requestsOf(place) === 'failed';
  const command = `pi-ledger requests${isOfFailed ? ' --failed' : ''} --limit ${requestsShown}`;
  const missed = notNarrowedBy(place, []).replace(/, tz$|tz, /, '');
  return (
    <Section
      title="Newest requests"
      note={requests.answer?.isComplete === false ? 'of the newest 500 sessions' : missed}
      end={
        <>
          <Choices parameter="requests" among={requestChoices} otherwise="all" word="show" />
          <CsvFile text={() => csvOf(columns, requests.answer?.rows ?? [])} />
          <CopyCommand
            of={() => commandOf(command, place, periodIn(place, today), withoutLabels)}
          />
        </>
      }
    >
      <Held of={requests}>
        {({ rows }) =>
          rows.length === 0 ? (
            <NothingFits what="request" parameter="requests" />
          ) : (
            <Table
              name="requests"
              label="Newest requests"
              columns={columns}
              rows={rows}
              keyOf={({ session, time, turn }) => JSON.stringify([session, time, turn])}
              sort={{ column: 'when', isUp: false }}
            />
          )
        }
      </Held>
    </Section>
  );
}

function columnsOf(rows: readonly Request[], today: string): readonly Column<Request>[] {
  const cells = {
    when: { cell: (row: Request) => <When of={row} today={today} /> },
    answer: { cell: (row: Request) => <Outcome of={row} />, csv: outcomeWords },
  };
  return pageColumns(requestTable, { rows, today, cells });
}

function When({ of: { time, session, turn }, today }: { of: Request; today: string }): JSX.Element {
  return (
    <Link
      view="sessions"
      id={session}
      class="plain"
      parameters={turn === null ? {} : { turn: String(turn) }}
    >
      {formatMoment(time, today)}
    </Link>
  );
}

function Outcome({ of }: { of: Request }): JSX.Element {
  return <span class={of.failed ? 'warn' : 'quiet'}>{outcomeWords(of)}</span>;
}

function outcomeWords({ failed, status, kind }: Request): string {
  if (failed) return status === null ? 'failed' : `failed, ${status}`;
  return { turn: 'ok', compaction: 'compaction', branchSummary: 'branch summary' }[kind];
}
