/** Attempts that failed or were broken off, by day or week. What they cost is not known. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { StackedSeries } from '../../charts/stack.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import { formatCount } from '../../format/count.ts';
import { formatDay, formatLongDay } from '../../format/time.ts';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { scopeWords } from '../../parts/scope-words.ts';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { useAnswer, usePage } from '../../state/page.ts';
import { rangeOf } from '../../state/period.ts';
import { withParameters } from '../../state/place.ts';
import { periodIn } from '../../state/scope.ts';
import { columnsOf, daysIn, stepOf } from '../overview/steps.ts';
import type { ViewProps } from '../view.ts';
import { failuresAsk } from './asks.ts';
import { failureSeries } from './failure-series.ts';

export function Failures(view: ViewProps): JSX.Element {
  const failures = useAnswer(failuresAsk(view.place, view.today));
  const count = failures.answer?.total.records ?? 0;
  const note = `${formatCount(count)}; what they cost is not known`;
  const title = `Failed attempts per ${stepOf(periodIn(view.place, view.today))}`;
  return (
    <Section title={title} note={note} width={5} picture={scopeWords(view.place, view.today)}>
      <Held of={failures}>
        {({ rows, next }) => {
          if (next !== null)
            return <Empty>Too many weeks for one chart: a shorter period has it.</Empty>;
          if (rows.length === 0) return <NothingFits what="failed attempt" />;
          return <FailureColumns {...view} title={title} rows={rows} />;
        }}
      </Held>
    </Section>
  );
}

interface ColumnsProps extends ViewProps {
  readonly title: string;
  readonly rows: readonly UsageRow[];
}

function FailureColumns({ place, today, title, rows }: ColumnsProps): JSX.Element {
  const page = usePage();
  const period = periodIn(place, today);
  const columns = useMemo(() => columnsOf(period, rows), [rangeOf(period), rows]);
  const series = useMemo(() => failureSeries(rows, columns), [rows, columns]);
  const words = (index: number) =>
    series.map(({ name, above }) => `${formatCount(above[index] ?? 0)} ${name}`).join(', ');
  return (
    <StackedDays
      label={title}
      height={110}
      columns={columns.map((column) => shortName(column, today.day))}
      series={series}
      usual={columns.map(() => null)}
      format={(value) => (Number.isInteger(value) ? formatCount(value) : '')}
      words={{ above: 'attempts', below: '' }}
      readout={(index) => {
        const column = index === null ? undefined : columns[index];
        if (column === undefined || index === null) return <Legend series={series} />;
        return (
          <>
            <b>{longName(column)}</b> {words(index)}
          </>
        );
      }}
      table={columns.map((column, index) => [longName(column), words(index)])}
      onOpen={(index) => {
        const column = columns[index];
        if (column !== undefined)
          page.go(withParameters(place, { range: rangeOf(daysIn(column, period)) }));
      }}
    />
  );
}

function shortName(column: string, today: string): string {
  return column.includes('W') ? column : formatDay(column, today);
}

function longName(column: string): string {
  return column.includes('W') ? `Week ${column}` : formatLongDay(column);
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
