import type { TimelineItem } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Hatch } from '../../../charts/hatch.tsx';
import { linearScale } from '../../../charts/scale.ts';
import { formatCount, shortCount } from '../../../format/count.ts';
import { formatMoney } from '../../../format/money.ts';
import { billingsIn } from '../session/item-cost.ts';
import { bandPaths, bandSeries } from './bars.ts';
import { CursorMark } from './cursor-area.tsx';
import { Rules, Ticks } from './decorations.tsx';
import { Legend, Paths } from './drawn.tsx';
import type { Scene } from './scene.ts';
import type { Slot } from './slots.ts';

export interface ContextChartProps {
  readonly scene: Scene;
  readonly left: number;
  readonly cursor: number | null;
  /** By entry. */
  readonly compactions: ReadonlyMap<string, TimelineItem>;
}

const top = 20;

/** What was sent for each turn, by what it was, with the window and the threshold if told. */
export function ContextChart(props: ContextChartProps): JSX.Element {
  const { scene, left, cursor, compactions } = props;
  const height = scene.isNarrow ? 180 : 230;
  const limits = useMemo(() => limitsOf(scene.slots), [scene.slots]);
  const most = scene.slots.reduce((max, { point }) => Math.max(max, point.tokens ?? 0), 0);
  const ceiling = Math.max(1, most, limits?.window ?? 0);
  const y = linearScale([0, ceiling * 1.03], [height, 0]);
  const drawn = useMemo(
    () => bandPaths(scene.slots, scene.scale, (value) => y(value) ?? 0),
    [scene, height, ceiling],
  );
  const lines = limits === null ? null : linesOf(scene, y);
  return (
    <>
      <Legend word="sent:" series={drawn.filter(({ path }) => path !== '')} all={bandSeries}>
        {limits === null ? (
          <span class="quiet">window not told</span>
        ) : (
          limits.threshold !== null && (
            <span>
              <span class="swatch line" aria-hidden="true" /> threshold
            </span>
          )
        )}
      </Legend>
      <svg width={left + scene.width} height={top + height + 4} aria-hidden="true">
        <Hatch />
        <g transform={`translate(${left} ${top})`}>
          <CursorMark cursor={cursor} scale={scene.scale} height={height} />
          <Ticks scale={y} width={scene.width} count={4} format={shortTokens} />
          <Paths drawn={drawn} />
          {lines !== null && (
            <>
              <path class="window" d={lines.window} />
              <path class="limit" d={lines.threshold} />
            </>
          )}
          {limits !== null && (
            <>
              <text class="tick" x={4} y={-6}>
                window {shortTokens(limits.window)}
              </text>
              {limits.threshold !== null && (
                <text class="tick over" x={scene.width} y={-6} text-anchor="end">
                  compacts above {formatCount(limits.threshold)}
                </text>
              )}
            </>
          )}
          <Rules scene={scene} height={height} />
          {!scene.isNarrow && <Notes {...{ scene, height, compactions }} />}
        </g>
      </svg>
    </>
  );
}

const thousands = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

function shortTokens(value: number): string {
  return value < 1_000 ? thousands.format(value) : `${thousands.format(value / 1_000)}k`;
}

interface Limits {
  readonly window: number;
  readonly threshold: number | null;
}

/** As they stand at the end; null: no live host told a window. */
function limitsOf(slots: readonly Slot[]): Limits | null {
  const last = slots.findLast(({ point }) => point.windowTokens !== null)?.point;
  if (last?.windowTokens == null) return null;
  return { window: last.windowTokens, threshold: last.thresholdTokens };
}

/** Steps where another model has another window; nothing where it is not told. */
function linesOf({ slots, scale }: Scene, y: (value: number) => number) {
  const lineOf = (limitOf: (slot: Slot) => number | null): string => {
    let last: number | null = null;
    return slots
      .map((slot, index) => {
        const value = limitOf(slot);
        const [left] = scale.column(index);
        const right = scale.column(index + 1)[0] || scale.column(index)[1];
        const moves =
          value === null ? '' : last === value ? `H${right}` : `M${left} ${y(value)}H${right}`;
        last = value;
        return moves;
      })
      .join('');
  };
  return {
    window: lineOf(({ point }) => point.windowTokens),
    threshold: lineOf(({ point }) => point.thresholdTokens),
  };
}

const notesMax = 6;
const noteRoomPx = 150;

/** Beside each rule what the compaction did, where there is room. */
function Notes(props: {
  scene: Scene;
  height: number;
  compactions: ContextChartProps['compactions'];
}): JSX.Element | null {
  const { scene, height, compactions } = props;
  const { slots, scale, width } = scene;
  if (compactions.size > notesMax) return null;
  const rules = slots.flatMap(({ point }, index) => {
    const item = compactions.get(point.entryId);
    const x = scale.column(index)[1];
    return item === undefined ? [] : [{ item, x, after: slots[index + 1]?.point.tokens ?? null }];
  });
  const shown = rules.filter(({ x }, index) => (rules[index + 1]?.x ?? width) - x > noteRoomPx);
  return (
    <g>
      {shown.map(({ item, x, after }) => (
        <g key={item.entryId}>
          <text class="tick strong halo" x={x + 4} y={height * 0.22}>
            compaction
          </text>
          <text class="tick halo" x={x + 4} y={height * 0.22 + 14}>
            {noteOf(item, after)}
          </text>
        </g>
      ))}
    </g>
  );
}

function noteOf({ tokens, costs, costSource }: TimelineItem, after: number | null): string {
  const size = [tokens, after].map((count) => (count === null ? 'n/a' : shortCount(count)));
  const [billing] = billingsIn(costs);
  const nanoUsd = billing === undefined ? undefined : costs[billing];
  const cost =
    costSource !== 'priced' || nanoUsd === undefined ? 'cost n/a' : formatMoney(BigInt(nanoUsd), 4);
  return `${size.join(' to ')}, ${cost}`;
}
