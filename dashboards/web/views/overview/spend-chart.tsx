/** Spend per day, stacked, and when in the day it was. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { billingLooks } from '../../charts/billing-look.ts';
import {
  columnOf,
  type SeriesBy,
  seriesOf,
  type Unit,
  usualOf,
} from '../../charts/spend-series.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import { shortCount } from '../../format/count.ts';
import { formatUsd } from '../../format/money.ts';
import { formatLongDay } from '../../format/time.ts';
import { Choices } from '../../parts/choices.tsx';
import { Loading } from '../../parts/marks.tsx';
import { scopeWords } from '../../parts/scope-words.ts';
import { Held, Section } from '../../parts/section.tsx';
import { SeriesNames } from '../../parts/series-names.tsx';
import { useAnswer, usePage } from '../../state/page.ts';
import { rangeOf } from '../../state/period.ts';
import { withParameters } from '../../state/place.ts';
import { periodIn } from '../../state/scope.ts';
import type { Store } from '../../state/store.ts';
import type { ViewProps } from '../view.ts';
import { heatAsk, seriesAsk, stackedBy, totalsAsk } from './asks.ts';
import { countedOf } from './heat.ts';
import { Heat } from './heat.tsx';
import { NothingSpent } from './nothing-spent.tsx';
import { numbersOf, OneColumn, WholePeriod } from './spend-words.tsx';
import { bars, barsOf, columnName, daysIn, isByHour } from './steps.ts';
import { mainBilling } from './sums.ts';

const byWords = [
  { value: 'project', words: 'project' },
  { value: 'model', words: 'model' },
  { value: 'provider', words: 'provider' },
  { value: 'user', words: 'person' },
  { value: 'kind', words: 'kind' },
  { value: 'agent', words: 'agent' },
  { value: 'agentKind', words: 'main or sub' },
] as const;
const unitWords = [
  { value: 'usd', words: '$' },
  { value: 'tokens', words: 'tokens' },
] as const;

export interface SpendChartProps extends ViewProps {
  /** The series, in the order of the table beside; null: not known yet. */
  readonly names: readonly (string | null)[] | null;
  /** The day or week that the cursor is on, for the table that is the legend. */
  readonly day: Store<string | null>;
  /** All that it shows is there. */
  onDrawn(): void;
}

export function SpendChart({ place, today, names, day, onDrawn }: SpendChartProps): JSX.Element {
  const step = barsOf(periodIn(place, today));
  const totals = useAnswer(step === 'hour' ? heatAsk(place, today) : totalsAsk(place, today));
  return (
    <Section
      title={`Spend per ${step}`}
      width={8}
      picture={scopeWords(place, today)}
      end={
        <>
          <Choices parameter="by" word="by" among={byWords} otherwise="project" />
          <Choices parameter="unit" word="in" among={unitWords} otherwise="usd" />
        </>
      }
    >
      <div class={names?.length === 0 ? undefined : 'spend-chart'}>
        <Held of={totals}>
          {({ rows }) =>
            names !== null && <Shown {...{ place, today, names, day, onDrawn, totals: rows }} />
          }
        </Held>
      </div>
    </Section>
  );
}

interface DaysProps extends Omit<SpendChartProps, 'names'> {
  readonly names: readonly (string | null)[];
  readonly totals: readonly UsageRow[];
}

/** The bars, or how to find some. */
function Shown(props: DaysProps): JSX.Element {
  const isEmpty = props.names.length === 0;
  useEffect(() => {
    if (isEmpty) props.onDrawn();
  }, [isEmpty]);
  return isEmpty ? <NothingSpent {...props} /> : <Days {...props} />;
}

function Days({ place, today, names, day, totals: asked, onDrawn }: DaysProps): JSX.Element {
  const page = usePage();
  const by = stackedBy(place);
  const unit: Unit = place.parameters.unit === 'tokens' ? 'tokens' : 'usd';
  const period = periodIn(place, today);
  const range = rangeOf(period);
  const answered = useAnswer(seriesAsk(place, today, by, names)).answer?.rows;
  const rows = useMemo(
    () => answered && bars(answered, period, place).rows,
    [answered, range, place.parameters.tz],
  );
  useEffect(() => {
    if (rows !== undefined) onDrawn();
  }, [rows]);
  const [cursor, moveCursor] = useState<number | null>(null);
  const { columns, rows: totals } = useMemo(
    () => bars(asked, period, place),
    [range, asked, place.parameters.tz],
  );
  const setCursor = (index: number | null) => {
    moveCursor(index);
    day.write(index === null ? null : (columns[index] ?? null));
  };
  const billing = mainBilling(totals);
  const drawn = useMemo(() => {
    if (rows === undefined) return { series: [], usual: [] };
    const isUsual = barsOf(period) === 'day';
    return {
      series: seriesOf({ columns, by, names, rows, totals, unit, billing }),
      usual: isUsual
        ? usualOf(columns, totals, { unit, billing }, totals[0]?.day ?? period.until)
        : [],
    };
  }, [columns, rows, totals, unit, by, names, billing]);
  const byColumn = useMemo(() => new Map(totals.map((row) => [columnOf(row), row])), [totals]);
  const openAll = (some: readonly string[]) => {
    const [{ since }, { until }] = [
      daysIn(some[0] ?? '', period),
      daysIn(some.at(-1) ?? '', period),
    ];
    page.go(withParameters(place, { range: rangeOf({ since, until }) }));
  };
  const open = (column: string) => openAll([column]);
  return (
    <>
      <StackedDays
        columns={columns.map((column) => columnName(column, today.day))}
        {...drawn}
        format={unit === 'usd' ? formatUsd : shortCount}
        {...(unit === 'usd' ? billingLooks[billing] : tokensLook)}
        cursor={cursor}
        onCursor={setCursor}
        onOpen={(index) => open(columns[index] ?? period.since)}
        onRange={(from, to) => openAll(columns.slice(from, to + 1))}
        readout={(index) => {
          if (rows === undefined) return <Loading />;
          const column = index === null ? undefined : columns[index];
          if (column === undefined)
            return <WholePeriod {...{ place, today }} hasUsual={drawn.usual.length > 0} />;
          const parts = partsOf(rows ?? [], column, by, names);
          const of = byColumn.get(column);
          return <OneColumn name={longName(column)} {...{ of, by, names, parts }} />;
        }}
        table={columns.map((column) => [longName(column), numbersOf(byColumn.get(column))])}
      />
      {by === 'kind' && (
        <p class="legend">
          <SeriesNames names={names} by={by} />
        </p>
      )}
      {barsOf(period) !== 'hour' && (
        <Heat
          {...{ place, today }}
          days={columns}
          counted={countedOf(unit, billing)}
          onOpen={open}
          {...(isByHour(period) ? { cursor, onCursor: setCursor } : {})}
        />
      )}
    </>
  );
}

const tokensLook = { label: 'Tokens', words: { above: 'tokens', below: '' } };

function longName(column: string): string {
  const [day = '', hour] = column.split('T');
  if (hour !== undefined) return `${formatLongDay(day)}, ${hour}:00`;
  return column.includes('W') ? `Week ${column}` : formatLongDay(column);
}

/** What each name spent on the day, in the order of the series. */
function partsOf(
  rows: readonly UsageRow[],
  column: string,
  by: SeriesBy,
  names: readonly (string | null)[],
): readonly UsageRow[] {
  const there = rows.filter((row) => columnOf(row) === column);
  return names.flatMap((name) => there.filter((row) => (row[by] ?? null) === name));
}
