/** Attempts that failed or were broken off, by day. What they cost is not known. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { StackedSeries } from '../../charts/stack.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import { formatCount } from '../../format/count.ts';
import { formatDay, formatLongDay } from '../../format/time.ts';
import { Held, Section } from '../../parts/section.tsx';
import { useAnswer, usePage } from '../../state/page.ts';
import { daysOf, rangeOf } from '../../state/period.ts';
import { withParameters } from '../../state/place.ts';
import { periodIn } from '../../state/scope.ts';
import type { ViewProps } from '../view.ts';
import { failuresAsk } from './asks.ts';

export function Failures(view: ViewProps): JSX.Element {
  const failures = useAnswer(failuresAsk(view.place, view.today));
  const count = failures.answer?.total.records ?? 0;
  const note = `${formatCount(count)}; what they cost is not known`;
  return (
    <Section title="Failed attempts per day" note={note} width={5}>
      <Held of={failures}>{({ rows }) => <FailureDays {...view} rows={rows} />}</Held>
    </Section>
  );
}

function FailureDays({ place, today, rows }: ViewProps & { rows: readonly UsageRow[] }) {
  const page = usePage();
  const period = periodIn(place, today.day);
  const days = useMemo(() => daysOf(period), [period.since, period.days]);
  const series = useMemo(() => failureSeries(rows, days), [rows, days]);
  const words = (index: number) =>
    series.map(({ name, above }) => `${formatCount(above[index] ?? 0)} ${name}`).join(', ');
  return (
    <StackedDays
      label="Failed attempts per day"
      height={110}
      columns={days.map((day) => formatDay(day, today.day))}
      series={series}
      usual={days.map(() => null)}
      format={(value) => (Number.isInteger(value) ? formatCount(value) : '')}
      words={{ above: 'attempts', below: '' }}
      readout={(index) => {
        const day = index === null ? undefined : days[index];
        if (day === undefined || index === null) return <Legend series={series} />;
        return (
          <>
            <b>{formatLongDay(day)}</b> {words(index)}
          </>
        );
      }}
      table={days.map((day, index) => [formatLongDay(day), words(index)])}
      onOpen={(index) => {
        const day = days[index];
        if (day !== undefined)
          page.go(withParameters(place, { range: rangeOf({ since: day, until: day }) }));
      }}
    />
  );
}

function Legend({ series }: { series: readonly StackedSeries[] }): JSX.Element {
  return (
    <>
      {series.map((each) => (
        <span key={each.name}>
          <span class={`swatch ${each.class}`} /> {each.name}
        </span>
      ))}
    </>
  );
}

const kinds = [
  { stopReason: 'error', name: 'failed', class: 's0' },
  { stopReason: 'aborted', name: 'aborted', class: 's5' },
] as const;

function failureSeries(
  rows: readonly UsageRow[],
  days: readonly string[],
): readonly StackedSeries[] {
  return kinds.map(({ stopReason, name, class: color }) => {
    const records = new Map(
      rows
        .filter((row) => row.stopReason === stopReason)
        .map((row) => [row.day ?? '', row.records]),
    );
    return { name, class: color, above: days.map((day) => records.get(day) ?? 0), below: [] };
  });
}
