/** The newest requests of all sessions, or those that failed. */

import type { Request } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { ComponentChildren, JSX } from 'preact';
import { commandOf, withoutLabels } from '../../format/command.ts';
import { formatCount, shortCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { shortId } from '../../format/session.ts';
import { formatDuration, formatMoment } from '../../format/time.ts';
import { Choices } from '../../parts/choices.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { None, NotKnown } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
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
          <Copy words="CSV" text={() => csvOf(columns, requests.answer?.rows ?? [])} />
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
  const isUnknownUsed = rows.some(({ billing }) => billing === 'unknown');
  return [
    {
      name: 'when',
      head: 'When',
      cell: ({ time, session, turn }) => (
        <Link
          view="sessions"
          id={session}
          class="plain"
          parameters={turn === null ? {} : { turn: String(turn) }}
        >
          {formatMoment(time, today)}
        </Link>
      ),
      sortBy: ({ time }) => time,
    },
    {
      name: 'session',
      head: 'Session',
      goes: 'first',
      cell: ({ session }) => <span class="mono quiet">{shortId(session)}</span>,
      csv: ({ session }) => session,
    },
    named('project', 'Project', ({ project }) => project),
    named('model', 'Model', ({ model }) => model),
    { name: 'answer', head: 'Answer', cell: (row) => <Outcome of={row} />, csv: outcomeWords },
    money('metered', 'Metered'),
    money('subscription', 'Subscription'),
    ...(isUnknownUsed ? [money('unknown', 'Unknown')] : []),
    count('sent', 'Sent', ({ sentTokens }) => sentTokens),
    count('fromCache', 'From cache', ({ cacheReadTokens }) => cacheReadTokens),
    count('output', 'Output', ({ outputTokens }) => outputTokens),
    figure('firstToken', 'First token', ({ firstTokenMs }) => firstTokenMs, formatDuration),
    figure('took', 'Took', ({ durationMs }) => durationMs, formatDuration),
  ];
}

function Outcome({ of }: { of: Request }): JSX.Element {
  return <span class={of.failed ? 'warn' : 'quiet'}>{outcomeWords(of)}</span>;
}

function outcomeWords({ failed, status, kind }: Request): string {
  if (failed) return status === null ? 'failed' : `failed, ${status}`;
  return { turn: 'ok', compaction: 'compaction', branchSummary: 'branch summary' }[kind];
}

function named(name: string, head: string, of: (row: Request) => string | null): Column<Request> {
  return { name, head, goes: 'second', cell: (row) => <Name of={of(row)} />, sortBy: of };
}

function money(billing: Billing, head: string): Column<Request> {
  const nanoUsdOf = (row: Request) =>
    row.billing === billing && row.costNanoUsd !== null ? BigInt(row.costNanoUsd) : null;
  return {
    name: billing,
    head,
    isNumber: true,
    cell: (row) =>
      row.billing === billing ? (
        <Money nanoUsd={nanoUsdOf(row)} mark="exact" places={4} />
      ) : (
        <None />
      ),
    sortBy: nanoUsdOf,
    csv: (row) => csvUsd(nanoUsdOf(row)),
  };
}

function count(name: string, head: string, of: (row: Request) => number | null): Column<Request> {
  return figure(name, head, of, (value) => (
    <span title={formatCount(value)}>{shortCount(value)}</span>
  ));
}

function figure(
  name: string,
  head: string,
  of: (row: Request) => number | null,
  shown: (value: number) => ComponentChildren,
): Column<Request> {
  return {
    name,
    head,
    isNumber: true,
    goes: 'first',
    cell: (row) => {
      const value = of(row);
      return value === null ? <NotKnown /> : shown(value);
    },
    sortBy: of,
    csv: (row) => String(of(row) ?? ''),
  };
}
