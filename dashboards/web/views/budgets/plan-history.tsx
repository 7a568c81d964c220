/** How much of plans' windows was used over the last days, and how many plans were needed. */
import type { QuotaHistory, QuotaHistoryRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { formatClock, formatDays, formatMoment } from '../../format/time.ts';
import { CsvFile } from '../../parts/csv-file.tsx';
import { Marked } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import { Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { csvOf } from '../../parts/table-rows.ts';
import { useAnswerOfNow } from '../../state/page.ts';
import { planHistoryAsk } from './asks.ts';

/** Nothing, where no provider told of a window. */
export function PlanHistory({ today }: { today: string }): JSX.Element | null {
  const { answer } = useAnswerOfNow(planHistoryAsk);
  if (answer === null || (answer.rows.length === 0 && !answer.isPartial)) return null;
  const columns = columnsOf(today);
  return (
    <Section
      title="What was used of plans"
      note={noteOf(answer)}
      end={<CsvFile text={() => csvOf(columns, answer.rows)} />}
    >
      <Table
        name="plans"
        label="What was used of plans"
        columns={columns}
        rows={answer.rows}
        keyOf={({ provider, window }) => JSON.stringify([provider, window])}
        sort={{ column: 'used', isUp: false }}
      />
      <p class="more">
        In windows, as providers told: what other programs used is in it. Plans needed: with so
        many, a tenth would have been left at the busiest time.
        {answer.rows.some(({ fullWindows }) => fullWindows > 0) &&
          ' ≥: some windows were full, and more might have been used.'}
        {answer.isPartial && ' Only the latest 20,000 sessions are in it.'}
        {answer.readAt !== null && ` As of ${formatClock(answer.readAt)}.`}
      </p>
    </Section>
  );
}

function noteOf({ since, until }: QuotaHistory): string {
  return `${formatDays(since, until)}, days in UTC`;
}

function columnsOf(today: string): readonly Column<QuotaHistoryRow>[] {
  const number = (
    name: string,
    head: string,
    of: (row: QuotaHistoryRow) => number,
    cell: Column<QuotaHistoryRow>['cell'] = (row) => formatCount(of(row)),
  ): Column<QuotaHistoryRow> => ({
    ...{ name, head, cell, isNumber: true },
    sortBy: of,
    csv: (row) => String(of(row)),
  });
  return [
    {
      name: 'provider',
      head: 'Provider',
      cell: ({ provider }) => <Name of={provider} />,
      sortBy: ({ provider }) => provider,
    },
    {
      name: 'window',
      head: 'Window',
      cell: ({ name }) => <Name of={name} />,
      csv: ({ name }) => name,
    },
    { ...number('users', 'Users', ({ users }) => users), goes: 2 },
    { ...number('windows', 'Windows', ({ windows }) => windows), goes: 2 },
    number(
      'used',
      'Used',
      ({ usedWindows }) => usedWindows,
      ({ usedWindows }) => usedWindows.toFixed(2),
    ),
    { ...number('full', 'Full', ({ fullWindows }) => fullWindows), goes: 1 },
    {
      ...number(
        'peak',
        'Most at once',
        ({ peakWindows }) => peakWindows,
        ({ peakWindows }) => peakWindows.toFixed(2),
      ),
      goes: 1,
    },
    {
      name: 'peakAt',
      head: 'On',
      goes: 2,
      cell: ({ peakAt }) => formatMoment(peakAt, today),
      sortBy: ({ peakAt }) => peakAt,
      csv: ({ peakAt }) => peakAt,
    },
    number(
      'needed',
      'Plans needed',
      ({ plansNeeded }) => plansNeeded,
      ({ plansNeeded, fullWindows }) => (
        <Marked mark={fullWindows > 0 ? 'atLeast' : 'exact'}>{formatCount(plansNeeded)}</Marked>
      ),
    ),
  ];
}
