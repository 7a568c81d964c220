/** A project's days as small bars, or what it spent on the one that the chart's cursor is on. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { seriesClass, seriesMax } from '../../charts/colours.ts';
import { usePainted } from '../../charts/painted.ts';
import { boxesPath } from '../../charts/paths.ts';
import { columnOf } from '../../charts/spend-series.ts';
import { usdOf } from '../../format/money.ts';
import { nanoUsdOf } from '../../format/spend.ts';
import { None } from '../../parts/marks.tsx';
import { useAnswer, useStore } from '../../state/page.ts';
import { periodIn } from '../../state/scope.ts';
import type { Store } from '../../state/store.ts';
import type { ViewProps } from '../view.ts';
import { seriesAsk, stackedBy } from './asks.ts';
import { PartAmount } from './spend-words.tsx';
import { bars, barsOf, columnName } from './steps.ts';

export interface PerDayProps extends ViewProps {
  readonly billing: Billing;
  readonly projects: readonly (string | null)[] | null;
  readonly of: string | null;
  readonly day: Store<string | null>;
}

export function PerDayHead({ place, today, day }: Pick<PerDayProps, 'day'> & ViewProps) {
  const column = useStore(day);
  const bar = barsOf(periodIn(place, today));
  return <>{column === null ? `Per ${bar}` : columnName(column, today.day)}</>;
}

const widthPx = 120;
const heightPx = 16;

/** Nothing for a project whose days were not asked. */
export function PerDay({ projects, ...props }: PerDayProps): JSX.Element | null {
  const index = projects?.indexOf(props.of) ?? -1;
  return projects === null || index < 0 || index >= seriesMax ? null : (
    <Bars {...props} {...{ projects, index }} />
  );
}

interface BarsProps extends PerDayProps {
  readonly projects: readonly (string | null)[];
  readonly index: number;
}

function Bars({ place, today, billing, projects, of, index, day }: BarsProps): JSX.Element {
  const column = useStore(day);
  const { answer } = useAnswer(seriesAsk(place, today, 'project', projects));
  const isPainted = usePainted();
  const { columns, rows } = useMemo(
    () => bars(answer?.rows ?? [], periodIn(place, today), place),
    [answer, place, today],
  );
  const path = useMemo(() => {
    const spent = new Map(
      rows
        .filter((row) => isOf(row, of))
        .map((row) => [columnOf(row), usdOf(nanoUsdOf(row, billing))]),
    );
    const highest = Math.max(...spent.values(), 1e-9);
    const each = widthPx / columns.length;
    return boxesPath(
      columns.map((column, at) => {
        const height = ((spent.get(column) ?? 0) / highest) * heightPx;
        const width = Math.max(each - 1, each / 2);
        return { x: at * each, y: heightPx - height, width, height };
      }),
    );
  }, [columns, rows, billing, of]);
  const series = stackedBy(place) === 'project' ? seriesClass(index) : 's0';
  if (column !== null) {
    const row = rows.find((each) => isOf(each, of) && columnOf(each) === column);
    return <span class="per-day">{row === undefined ? <None /> : <PartAmount of={row} />}</span>;
  }
  return (
    <svg class="per-day" width={widthPx} height={heightPx} aria-hidden="true">
      <g class={series}>
        <path class={billing === 'metered' ? 'solid' : 'pale'} d={isPainted ? path : ''} />
      </g>
    </svg>
  );
}

function isOf({ project = null }: UsageRow, of: string | null): boolean {
  return project === of;
}
