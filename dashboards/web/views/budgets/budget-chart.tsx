/** A budget's sum so far, the period before thin, the forecast as a cone, the limit dashed. */
import type { Budget, UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { ColumnAxis, ValueAxis } from '../../charts/axis.tsx';
import { Chart, type Plot } from '../../charts/frame.tsx';
import { Hatch, hatched } from '../../charts/hatch.tsx';
import { linePath } from '../../charts/paths.ts';
import { linearScale } from '../../charts/scale.ts';
import { formatAmount, isPale, numberOf } from '../../format/budget.ts';
import { shortCount } from '../../format/count.ts';
import { formatUsd } from '../../format/money.ts';
import { formatDay } from '../../format/time.ts';
import { Marked } from '../../parts/marks.tsx';
import { clockIn } from '../../state/today.ts';
import { ofSteps } from './readout.ts';
import { lineBefore, lineOf, type Steps, stepsOver, sumsOf } from './steps.ts';

export interface BudgetChartProps {
  readonly budget: Budget;
  readonly steps: Steps;
  readonly rows: readonly UsageRow[];
  readonly nowMs: number;
  readonly today: string;
  /** `October`: what the thin line is. */
  readonly before: string;
}

const heightPx = 190;
const margin = { right: 76 };

export function BudgetChart(props: BudgetChartProps): JSX.Element {
  const { budget, steps, rows, nowMs, today } = props;
  const { unit } = budget;
  const sums = sumsOf(steps.now, rows, unit);
  const before = sumsOf(steps.before, rows, unit);
  const over = budget.period === null ? 0 : stepsOver(steps.now.length, budget.period, nowMs);
  const nameOf = (index: number) => {
    const step = steps.now[index] ?? '';
    return steps.by === 'hour' ? hourIn(step, budget.timeZone) : formatDay(step, today);
  };
  const said = ofSteps({ sums, before, over, unit, beforeWords: props.before });
  return (
    <Chart
      label={`Sum so far of ${budget.name}`}
      height={heightPx}
      margin={margin}
      count={steps.now.length}
      readout={(index) =>
        index === null ? (
          <Whole budget={budget} before={props.before} />
        ) : (
          <>
            <b>{nameOf(index)}</b> {said(index)}
          </>
        )
      }
      table={steps.now.map((_, index) => [nameOf(index), said(index)])}
    >
      {(plot) => (
        <Marks
          {...{ plot, budget }}
          count={steps.now.length}
          now={lineOf(sums, over, budget.used ?? '0')}
          before={lineBefore(before, steps.now.length)}
          nameOf={nameOf}
        />
      )}
    </Chart>
  );
}

/** `09h` on a clock there. */
function hourIn(iso: string, timeZone: string): string {
  return `${String(clockIn(Date.parse(iso), timeZone).hour).padStart(2, '0')}h`;
}

/** While the cursor is nowhere. */
function Whole({ budget, before }: { budget: Budget; before: string }): JSX.Element {
  const { used, limit, unit, isAtLeast, forecast } = budget;
  return (
    <>
      {used !== null && (
        <span>
          {unit === 'tokens' ? 'used' : 'spent'}{' '}
          <b>
            <Marked mark={isAtLeast ? 'atLeast' : 'exact'}>{formatAmount(used, unit)}</Marked>
          </b>
        </span>
      )}
      <span>
        limit <b>{formatAmount(limit, unit)}</b>
      </span>
      {forecast !== null && (
        <span>
          likely{' '}
          <b>
            <Marked mark="estimated">{formatAmount(forecast.middle, unit)}</Marked>
          </b>
          , {formatAmount(forecast.low, unit)} to {formatAmount(forecast.high, unit)}
        </span>
      )}
      <span>thin line: {before}</span>
    </>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface MarksProps {
  readonly plot: Plot;
  readonly budget: Budget;
  readonly count: number;
  readonly now: readonly Point[];
  readonly before: readonly Point[];
  nameOf(index: number): string;
}

const room = 1.06;

function Marks({ plot, budget, count, now, before, nameOf }: MarksProps): JSX.Element {
  const { limit, unit, forecast } = budget;
  const most = Math.max(
    ...[...now, ...before].map(({ y }) => y),
    numberOf(limit),
    numberOf(forecast?.high ?? '0'),
  );
  const scale = linearScale([0, most * room], [plot.height, 0]);
  const at = ({ x, y }: Point) => ({ x: (x / count) * plot.width, y: scale(y) });
  const limitY = Math.round(scale(numberOf(limit))) + 0.5;
  const last = now.at(-1) ?? { x: 0, y: 0 };
  return (
    <g>
      <Hatch />
      <ValueAxis
        plot={plot}
        scale={scale}
        format={unit === 'tokens' ? shortCount : formatUsd}
        count={3}
      />
      <path class="before" d={linePath(before.map(at))} />
      {forecast !== null && (
        <>
          <path
            fill={hatched}
            d={`${linePath(
              [
                last,
                { x: count, y: numberOf(forecast.high) },
                { x: count, y: numberOf(forecast.low) },
              ].map(at),
            )}z`}
          />
          <path
            class="likely"
            d={linePath([last, { x: count, y: numberOf(forecast.middle) }].map(at))}
          />
          <Ends plot={plot} budget={budget} y={scale} />
        </>
      )}
      <path class={`sum ${isPale(unit) ? 's1 subscription' : ''}`} d={linePath(now.map(at))} />
      <path class="limit" d={`M0 ${limitY}H${plot.width}`} />
      <text class="tick limit-word" x={4} y={limitY - 5}>
        limit {formatAmount(limit, unit)}
      </text>
      <path class="now" d={`M${at(last).x} ${plot.height}v-6`} />
      <ColumnAxis plot={plot} count={count} label={nameOf} />
    </g>
  );
}

const linePx = 13;

/** The forecast's figures at the right; those that would overlap the middle one are left out. */
function Ends({ plot, budget, y }: { plot: Plot; budget: Budget; y(value: number): number }) {
  const { forecast, unit } = budget;
  if (forecast === null) return null;
  const middle = y(numberOf(forecast.middle));
  const ends = [forecast.low, forecast.high].filter(
    (each) => Math.abs(y(numberOf(each)) - middle) >= linePx,
  );
  return (
    <>
      {ends.map((each) => (
        <text key={each} class="tick" x={plot.width + 6} y={y(numberOf(each))} dy="0.32em">
          {formatAmount(each, unit)}
        </text>
      ))}
      <text class="tick strong" x={plot.width + 6} y={middle} dy="0.32em">
        ~{formatAmount(forecast.middle, unit)}
      </text>
    </>
  );
}
