/** Whether a model is slower than it was: a dot for each day, one look for each model. */
import type { ModelDay, ModelRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { ColumnAxis, ValueAxis } from '../../charts/axis.tsx';
import { seriesClass } from '../../charts/colours.ts';
import { Chart, type Plot } from '../../charts/frame.tsx';
import { usePainted } from '../../charts/painted.ts';
import { dotsPath } from '../../charts/paths.ts';
import { linearScale } from '../../charts/scale.ts';
import { formatDay, formatLongDay } from '../../format/time.ts';
import { Choices, chosen } from '../../parts/choices.tsx';
import { Name, visible } from '../../parts/name.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { scopeWords } from '../../parts/scope-words.ts';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { SeriesNames } from '../../parts/series-names.tsx';
import { useAnswer, usePage } from '../../state/page.ts';
import { rangeOf } from '../../state/period.ts';
import { withParameters } from '../../state/place.ts';
import { periodIn } from '../../state/scope.ts';
import { columnsOf } from '../overview/steps.ts';
import type { ViewProps } from '../view.ts';
import { notNarrowedBy, speedAsk } from './asks.ts';
import {
  formatSpeed,
  type SpeedChoice,
  type SpeedSeries,
  speedChoices,
  speedIn,
  speedSeries,
  speedWords,
} from './speed.ts';

interface SpeedProps extends ViewProps {
  /** The costliest first; null: not known yet. */
  readonly models: readonly ModelRow[] | null;
}

const notes = {
  first: 'half of the answers had begun within this',
  answer: 'half of the answers were there within this',
  tokens: 'output, from the request to the end',
};

export function SpeedPerDay({ models, ...view }: SpeedProps): JSX.Element {
  const { place, today } = view;
  const days = useAnswer(speedAsk(place, today));
  const choice = chosen(place.parameters.speed, speedChoices, 'first');
  const missed = notNarrowedBy(place, []);
  return (
    <Section
      title="Speed per day"
      note={[notes[choice], ...(missed === '' ? [] : [missed])].join('; ')}
      picture={scopeWords(place, today)}
      end={<Choices parameter="speed" among={speedChoices} otherwise="first" />}
    >
      <Held of={days}>
        {({ rows, next }) => {
          if (next !== null)
            return <Empty>Too many days for one chart: a shorter period has it.</Empty>;
          if (rows.length === 0) return <NothingFits what="answer" />;
          return <Dots {...view} {...{ rows, choice }} models={models ?? []} />;
        }}
      </Held>
    </Section>
  );
}

interface DotsProps extends ViewProps {
  readonly models: readonly ModelRow[];
  readonly rows: readonly ModelDay[];
  readonly choice: SpeedChoice;
}

const heightPx = 140;
const margin = { left: 56 };

function Dots({ place, today, models, rows, choice }: DotsProps): JSX.Element {
  const page = usePage();
  const isPainted = usePainted();
  const period = periodIn(place, today);
  const columns = useMemo(() => columnsOf(period, rows, 'day'), [rangeOf(period), rows]);
  const series = useMemo(
    () => speedSeries(models, rows, columns, choice),
    [models, rows, columns, choice],
  );
  if (series.length === 0) return <Empty>Nothing was timed in this period.</Empty>;
  const words = (index: number) =>
    series.flatMap(({ name, days }) => {
      const said = speedWords(days[index] ?? null, choice);
      return said === null ? [] : [`${visible(name)} ${said}`];
    });
  return (
    <>
      <p class="legend">
        <SeriesNames names={series.map(({ name }) => name)} by="model" />
      </p>
      <Chart
        label={`Speed per day: ${speedChoices.find(({ value }) => value === choice)?.words}`}
        height={heightPx}
        margin={margin}
        count={columns.length}
        readout={(index) => index !== null && <OneDay {...{ columns, index, series, choice }} />}
        table={
          isPainted
            ? columns.map((day, index) => [
                formatLongDay(day),
                words(index).join('; ') || 'nothing measured',
              ])
            : []
        }
        onOpen={(index) => {
          const day = columns[index];
          if (day === undefined) return;
          page.go(withParameters(place, { range: rangeOf({ since: day, until: day }) }));
        }}
      >
        {(plot) => (
          <>
            {isPainted && <Marks {...{ plot, series, choice }} />}
            <ColumnAxis
              plot={plot}
              count={columns.length}
              label={(index) => formatDay(columns[index] ?? '', today.day)}
            />
          </>
        )}
      </Chart>
    </>
  );
}

interface OneDayProps {
  readonly columns: readonly string[];
  readonly index: number;
  readonly series: readonly SpeedSeries[];
  readonly choice: SpeedChoice;
}

function OneDay({ columns, index, series, choice }: OneDayProps): JSX.Element {
  const said = series.flatMap(({ name, days }) => {
    const words = speedWords(days[index] ?? null, choice);
    return words === null ? [] : [{ name, words }];
  });
  return (
    <>
      <span>{formatLongDay(columns[index] ?? '')}:</span>
      {said.length === 0 && <span>nothing measured</span>}
      {said.map(({ name, words }) => (
        <span key={name}>
          <Name of={name} /> <b>{words}</b>
        </span>
      ))}
    </>
  );
}

interface MarksProps {
  readonly plot: Plot;
  readonly series: readonly SpeedSeries[];
  readonly choice: SpeedChoice;
}

/** One path for each model. */
function Marks({ plot, series, choice }: MarksProps): JSX.Element {
  const values = series.map(({ days }) => days.map((row) => speedIn(row, choice)));
  const most = Math.max(0, ...values.flat().map((value) => value ?? 0));
  const scale = linearScale([0, most === 0 ? 1 : most], [plot.height, 0], 4);
  const points = (each: readonly (number | null)[]) =>
    each.flatMap((value, index) =>
      value === null ? [] : [{ x: plot.columnX(index) + plot.columnWidth / 2, y: scale(value) }],
    );
  return (
    <>
      <ValueAxis
        plot={plot}
        scale={scale}
        count={4}
        format={(value) => (value === 0 ? '0' : formatSpeed(value, choice))}
      />
      {values.map((each, index) => (
        <path
          key={series[index]?.name}
          class={`${seriesClass(index)} solid`}
          d={dotsPath(points(each), 3)}
        />
      ))}
    </>
  );
}
