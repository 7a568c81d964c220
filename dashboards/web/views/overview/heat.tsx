/** When it was spent, as shades: below the bars, on the same days. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Chart, type Plot } from '../../charts/frame.tsx';
import { usePainted } from '../../charts/painted.ts';
import { boxesPath } from '../../charts/paths.ts';
import { largest, shortCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { billingWords } from '../../format/spend.ts';
import { formatDay } from '../../format/time.ts';
import { useAnswer } from '../../state/page.ts';
import { rangeOf } from '../../state/period.ts';
import { periodIn } from '../../state/scope.ts';
import { clockIn, zoneOf } from '../../state/today.ts';
import type { ViewProps } from '../view.ts';
import { heatAsk } from './asks.ts';
import { type Counted, type HeatCells, heatOf, shadeOf, shades, unknownOf } from './heat.ts';
import { columnsOf, isByHour } from './steps.ts';

export interface HeatProps extends ViewProps {
  readonly counted: Counted;
  /** The bars' columns. */
  readonly days: readonly string[];
  /** Where the bars' cursor stands, when both have the same columns. */
  readonly cursor?: number | null;
  readonly onCursor?: (index: number | null) => void;
  onOpen(column: string): void;
}

const rowPx = 11;
const words = {
  ...billingWords,
  subscription: `${billingWords.subscription}, list price`,
  tokens: 'tokens',
};
/** A column whose cells are all empty says this: it may have spend of another kind. */
const noneWords = {
  metered: 'nothing metered',
  subscription: 'nothing of a subscription',
  unknown: 'nothing of unknown billing',
  tokens: 'nothing',
};

export function Heat({
  place,
  today,
  counted,
  days,
  onOpen,
  ...chart
}: HeatProps): JSX.Element | null {
  const { answer } = useAnswer(heatAsk(place, today));
  const isPainted = usePainted();
  const period = periodIn(place, today);
  const zone = zoneOf(place.parameters.tz);
  const rows = answer?.rows;
  const { cells, unknown } = useMemo(() => {
    const columns = isByHour(period) ? days : columnsOf(period, rows ?? [], 'week');
    const localHour = (iso: string) => clockIn(Date.parse(iso), zone);
    return {
      cells: heatOf(columns, rows ?? [], counted, localHour),
      unknown: counted === 'tokens' ? [] : unknownOf(columns, rows ?? [], localHour),
    };
  }, [rows, rangeOf(period), days, counted, zone]);
  if (answer !== null && answer.next !== null) return null;
  const format = counted === 'tokens' ? shortCount : formatMoney;
  const clock = place.parameters.tz === undefined ? 'your clock' : zone;
  const beside =
    cells.beside === 0n ? '' : `; ${format(cells.beside)} on other days of ${clock} not shown`;
  const title = isByHour(period)
    ? `When: ${words[counted]}, by 3 hours of ${clock}${beside}`
    : `When: ${words[counted]}, weeks by weekday`;
  return (
    <Chart
      {...chart}
      label={title}
      height={cells.rows * rowPx}
      count={cells.columns.length}
      margin={{ top: 4, bottom: 4 }}
      onOpen={(index) => onOpen(cells.columns[index] ?? period.since)}
      readout={(index) =>
        readout(cells, index, title, { format, today: today.day, counted, unknown })
      }
    >
      {(plot) => isPainted && <Cells of={cells} plot={plot} />}
    </Chart>
  );
}

function Cells({ of, plot }: { of: HeatCells; plot: Plot }): JSX.Element {
  const highest = largest(of.values.flat());
  const gap = plot.columnWidth > 6 ? 1 : 0;
  const shaded = Array.from({ length: shades + 1 }, (_, shade) =>
    boxesPath(
      of.values.flatMap((column, index) =>
        column.flatMap((value, row) =>
          shadeOf(value, highest) === shade
            ? [
                {
                  x: plot.columnX(index),
                  y: row * rowPx,
                  width: plot.columnWidth - gap,
                  height: rowPx - 1,
                },
              ]
            : [],
        ),
      ),
    ),
  );
  return (
    <g>
      {shaded.map((path, shade) => (
        <path key={`h${shade}`} class={`heat-${shade}`} d={path} />
      ))}
      {rowLabels(of).map(([row, text]) => (
        <text key={row} class="tick" x={-8} y={(row + 0.5) * rowPx} dy="0.32em" text-anchor="end">
          {text}
        </text>
      ))}
    </g>
  );
}

function rowLabels({ hoursEach }: HeatCells): readonly (readonly [row: number, text: string])[] {
  if (hoursEach === null) return [0, 2, 4, 6].map((row) => [row, weekdayName(row)]);
  return [0, 2, 4, 6].map((row) => [row, `${hourText(row * hoursEach)}h`]);
}

interface ReadoutOptions {
  readonly today: string;
  readonly counted: Counted;
  /** By column, in nano-dollars. */
  readonly unknown: readonly bigint[];
  format(value: bigint): string;
}

function readout(
  { columns, values, hoursEach }: HeatCells,
  index: number | null,
  title: string,
  { format, today, counted, unknown }: ReadoutOptions,
): JSX.Element {
  const column = index === null ? undefined : columns[index];
  if (index === null || column === undefined)
    return (
      <>
        <span>{title}</span>
        {counted !== 'unknown' && (
          <Unknown nanoUsd={unknown.reduce((sum, each) => sum + each, 0n)} />
        )}
      </>
    );
  const spent = (values[index] ?? []).flatMap((value, row) => (value > 0n ? [{ value, row }] : []));
  const rowName = (row: number) =>
    hoursEach === null
      ? weekdayName(row)
      : `${hourText(row * hoursEach)}–${hourText((row + 1) * hoursEach)}`;
  return (
    <>
      <span>{hoursEach === null ? column : formatDay(column, today)}:</span>
      {spent.length === 0 && <span>{noneWords[counted]}</span>}
      {spent.map(({ value, row }) => (
        <span key={row}>
          {rowName(row)} <b>{format(value)}</b>
        </span>
      ))}
      {counted !== 'unknown' && <Unknown nanoUsd={unknown[index] ?? 0n} />}
    </>
  );
}

/** What no shade counts, where there is some. */
function Unknown({ nanoUsd }: { nanoUsd: bigint }): JSX.Element | null {
  if (nanoUsd === 0n) return null;
  return (
    <span>
      billing unknown, not shaded <b>{formatMoney(nanoUsd)}</b>
    </span>
  );
}

function hourText(hour: number): string {
  return String(hour).padStart(2, '0');
}

const weekdayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' });

/** Monday: 0. */
function weekdayName(weekday: number): string {
  return weekdayFormat.format(Date.UTC(2024, 0, 1 + weekday));
}
