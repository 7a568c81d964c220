/** What a project cost by day, stacked by branch, model, person, kind or agent. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { billingLooks } from '../../charts/billing-look.ts';
import { seriesMax } from '../../charts/colours.ts';
import { columnOf, ranked, seriesOf } from '../../charts/spend-series.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import type { Amount } from '../../format/amount.ts';
import { formatUsd } from '../../format/money.ts';
import { amountOfAll } from '../../format/spend.ts';
import { formatDay, formatLongDay } from '../../format/time.ts';
import { Choices } from '../../parts/choices.tsx';
import { Money } from '../../parts/money.tsx';
import { scopeWords } from '../../parts/scope-words.ts';
import { Held, Section } from '../../parts/section.tsx';
import { SeriesNames } from '../../parts/series-names.tsx';
import { useAnswer, usePage } from '../../state/page.ts';
import { rangeOf } from '../../state/period.ts';
import { withParameters } from '../../state/place.ts';
import { periodIn } from '../../state/scope.ts';
import { Amounts, numbersOf } from '../overview/spend-words.tsx';
import { columnsOf, daysIn, stepOf } from '../overview/steps.ts';
import { mainBilling } from '../overview/sums.ts';
import type { ViewProps } from '../view.ts';
import { namesAsk, type StackedBy, seriesAsk, stackedBy, stepsAsk } from './asks.ts';

const byWords = [
  { value: 'branch', words: 'branch' },
  { value: 'model', words: 'model' },
  { value: 'user', words: 'person' },
  { value: 'kind', words: 'kind' },
  { value: 'agent', words: 'agent' },
] as const;

export function ProjectSpend(view: ViewProps): JSX.Element {
  const { place, today } = view;
  const totals = useAnswer(stepsAsk(place, today));
  const by = stackedBy(place);
  const named = useAnswer(namesAsk(place, today, by)).answer;
  const names = useMemo(
    () => (named === null ? null : ranked(named.rows, by).map(({ name }) => name)),
    [named, by],
  );
  return (
    <Section
      title={`Spend per ${stepOf(periodIn(place, today))}`}
      width={8}
      picture={scopeWords(place, today)}
      end={<Choices parameter="by" word="by" among={byWords} otherwise="branch" />}
    >
      <Held of={totals}>
        {({ rows }) => names !== null && <Bars {...view} totals={rows} names={names} />}
      </Held>
    </Section>
  );
}

interface BarsProps extends ViewProps {
  readonly totals: readonly UsageRow[];
  readonly names: readonly (string | null)[];
}

function Bars({ place, today, totals, names }: BarsProps): JSX.Element {
  const page = usePage();
  const by = stackedBy(place);
  const period = periodIn(place, today);
  const isDays = stepOf(period) === 'day';
  const shown = useMemo(() => names.slice(0, seriesMax), [names]);
  const { answer } = useAnswer(seriesAsk(place, today, by, shown));
  const columns = useMemo(() => columnsOf(period, totals), [rangeOf(period), totals]);
  const billing = mainBilling(totals);
  const series = useMemo(
    () =>
      answer === null
        ? []
        : seriesOf({ columns, by, names: shown, rows: answer.rows, totals, unit: 'usd', billing }),
    [answer, columns, by, shown, totals, billing],
  );
  const of = (index: number | null) => totals.find((row) => columnOf(row) === columns[index ?? -1]);
  return (
    <StackedDays
      columns={columns.map((column) => (isDays ? formatDay(column, today.day) : column))}
      series={series}
      usual={columns.map(() => null)}
      format={formatUsd}
      {...billingLooks[billing]}
      readout={(index) => {
        const column = index === null ? undefined : columns[index];
        return column === undefined ? (
          <Legend
            {...{ names, by }}
            unknown={billing === 'unknown' ? null : amountOfAll(totals, 'unknown')}
          />
        ) : (
          <OneColumn name={nameOf(column)} of={of(index)} />
        );
      }}
      table={columns.map((column, index) => [nameOf(column), numbersOf(of(index))])}
      onOpen={(index) => {
        const range = rangeOf(daysIn(columns[index] ?? period.since, period));
        page.go(withParameters(place, { range }));
      }}
      height={220}
    />
  );
}

interface LegendProps {
  readonly by: StackedBy;
  readonly names: readonly (string | null)[];
  /** It is dotted; null: all bars are of it. */
  readonly unknown: Amount | null;
}

function Legend({ names, by, unknown }: LegendProps): JSX.Element {
  return (
    <>
      <SeriesNames names={names} by={by} />
      {unknown !== null && unknown.nanoUsd !== 0n && (
        <span>
          dotted: billing unknown{' '}
          <b>
            <Money {...unknown} />
          </b>
        </span>
      )}
    </>
  );
}

function OneColumn({ name, of }: { name: string; of: UsageRow | undefined }): JSX.Element {
  return (
    <>
      <span>{name}:</span>
      {of === undefined ? <span>nothing</span> : <Amounts of={of} />}
    </>
  );
}

function nameOf(column: string): string {
  return column.includes('W') ? `Week ${column}` : formatLongDay(column);
}
