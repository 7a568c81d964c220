import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatMoney } from '../../../format/money.ts';
import { formatClock } from '../../../format/time.ts';
import { billingsIn } from '../session/item-cost.ts';
import { counted } from '../session/words.ts';
import { CursorMark } from './cursor-area.tsx';
import { Rules } from './decorations.tsx';
import type { Find } from './find.ts';
import { LaneMarks } from './lane-marks.tsx';
import { laneBox, laneHeight, laneNames, lanePaths } from './lanes.ts';
import type { Scene } from './scene.ts';
import { firstTurnOf } from './slots.ts';
import type { Span } from './spans.ts';
import type { Along } from './time-scale.ts';

export interface LanesChartProps {
  readonly scene: Scene;
  readonly left: number;
  readonly cursor: number | null;
  readonly along: Along;
  /** All others are faint; null: nothing is looked for. */
  readonly finds: readonly Find[] | null;
  /** The one of them that is gone to. */
  readonly current: Find | null;
}

const height = laneNames.length * laneHeight;
const bottom = 22;
const shortNames = ['prompt', 'model', 'tools', 'retry', 'agent'];

/** What the session did, and when. */
export function LanesChart(props: LanesChartProps): JSX.Element {
  const { scene, left, cursor, along, finds, current } = props;
  const { spans, scale, width, isNarrow } = scene;
  const paths = useMemo(() => lanePaths(spans, scale), [spans, scale]);
  const foundPaths = useMemo(
    () =>
      lanePaths(
        (finds ?? []).map(({ span }) => span),
        scale,
      ),
    [finds, scale],
  );
  const prompts = useMemo(() => promptsOf(scene), [scene]);
  return (
    <svg class="lanes" width={left + width} height={height + bottom} aria-hidden="true">
      <g transform={`translate(${left} 0)`}>
        <CursorMark cursor={cursor} scale={scale} height={height} />
        {laneNames.map((name, lane) => (
          <g key={name}>
            <text class="tick" x={-8} y={lane * laneHeight + 13} text-anchor="end">
              {isNarrow ? shortNames[lane] : name}
            </text>
            <line
              class="grid-line"
              x1={0}
              x2={width}
              y1={(lane + 1) * laneHeight - 0.5}
              y2={(lane + 1) * laneHeight - 0.5}
            />
          </g>
        ))}
        <rect class="ground" x={0} y={4} width={width} height={laneHeight - 7} />
        <LaneMarks paths={paths} isFaint={finds !== null} />
        {finds !== null && <LaneMarks paths={foundPaths} />}
        {current !== null && <Ring around={current} scene={scene} />}
        {prompts.map(({ x, text }) => (
          <text key={x} class="tick" x={x + 6} y={13}>
            {text}
          </text>
        ))}
        <Subagents spans={spans} scene={scene} />
        <Rules scene={scene} height={height} />
        {along === 'turns' ? <TurnLabels scene={scene} /> : <ClockLabels scene={scene} />}
      </g>
    </svg>
  );
}

/** Around the find that is gone to, which comes into view. */
function Ring({ around, scene }: { around: Find; scene: Scene }): JSX.Element | null {
  const ref = useRef<SVGRectElement>(null);
  useEffect(() => ref.current?.scrollIntoView({ block: 'nearest' }), [around]);
  const box = laneBox(around.span, scene.scale);
  if (box === null) return null;
  const { x, y, width, height: tall } = box;
  return <rect ref={ref} class="ring" x={x - 3} y={y - 3} width={width + 6} height={tall + 6} />;
}

const numberPx = 22;
const wordsPx = 130;

/** Each prompt's number, and what it led to where there is room. */
function promptsOf({
  spans,
  promptsBefore,
  scale,
  width,
}: Scene): readonly { x: number; text: string }[] {
  const prompts = spans.filter(({ item }) => item.kind === 'prompt');
  const xs = prompts.map(({ from }) => scale.x(from));
  return prompts.flatMap(({ item }, index) => {
    const x = xs[index] ?? 0;
    const room = (xs[index + 1] ?? width) - x;
    if (room < numberPx) return [];
    const words = room < wordsPx ? '' : runWords(item.run);
    return [{ x, text: `${promptsBefore + index + 1}${words}` }];
  });
}

function runWords(run: Span['item']['run']): string {
  if (run === null) return '';
  const [billing, ...others] = billingsIn(run.costs);
  const nanoUsd = billing === undefined ? undefined : run.costs[billing];
  const mark = run.unpriced > 0 ? '≥ ' : '';
  const isShown = nanoUsd !== undefined && others.length === 0;
  const cost = isShown ? `, ${mark}${formatMoney(BigInt(nanoUsd), 3)}` : '';
  return `: ${counted(run.turns, 'turn')}${cost}`;
}

const subagentsMax = 6;

function Subagents({ spans, scene }: { spans: readonly Span[]; scene: Scene }): JSX.Element | null {
  const subagents = spans.filter(({ item }) => item.kind === 'subagent');
  if (scene.isNarrow || subagents.length > subagentsMax) return null;
  return (
    <g>
      {subagents.map(({ item, to }) => {
        const x = scene.scale.x(to);
        const isAtEnd = scene.width - x < wordsPx;
        return (
          <text
            key={item.subagent?.session}
            class="tick halo"
            x={isAtEnd ? scene.width : x + 6}
            y={4 * laneHeight + 13}
            text-anchor={isAtEnd ? 'end' : 'start'}
          >
            {item.name || 'subagent'}
          </text>
        );
      })}
    </g>
  );
}

const labelPx = 72;
const numberLabelPx = 48;

function TurnLabels({ scene: { slots, scale, width } }: { scene: Scene }): JSX.Element {
  const first = slots[0] === undefined ? 1 : firstTurnOf(slots[0]);
  const turns = (slots.at(-1)?.point.turn ?? 1) - first + 1;
  const most = Math.max(2, Math.floor(width / numberLabelPx));
  const step = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].find(
    (each) => turns / each <= most,
  );
  const shown = slots.flatMap(({ point, turns: covered }, index) => {
    const [from, to] = [point.turn - covered, point.turn];
    const every = step ?? 10_000;
    const isRound = Math.floor(to / every) > Math.floor(from / every);
    if (point.kind !== 'turn' || !(index === 0 || isRound)) return [];
    const [left, right] = scale.column(index);
    return [{ x: (left + right) / 2, turn: index === 0 ? first : Math.floor(to / every) * every }];
  });
  return (
    <g>
      {shown.map(({ x, turn }) => (
        <text
          key={turn}
          class="tick"
          x={x}
          y={height + 16}
          text-anchor={turn === first ? 'start' : 'middle'}
        >
          {turn === first ? `turn ${turn}` : turn}
        </text>
      ))}
    </g>
  );
}

/** How much time is folded, or what the clock says, wherever there is room. */
function ClockLabels({ scene: { slots, scale, width } }: { scene: Scene }): JSX.Element {
  const folds = scale.folds.map(({ x, ms }) => ({
    x,
    text: `+${Math.max(1, Math.round(ms / 60_000))} min`,
  }));
  const start = { x: 0, text: formatClock(slots[0]?.from ?? 0) };
  const end = { x: width, text: formatClock(slots.at(-1)?.to ?? 0) };
  let last = labelPx / 2;
  const shown = folds.filter(({ x }) => {
    if (x - last < labelPx || width - x < labelPx) return false;
    last = x;
    return true;
  });
  return (
    <g>
      {[start, ...shown, end].map(({ x, text }) => (
        <text key={x} class="tick" x={x} y={height + 16} text-anchor={anchorAt(x, width)}>
          {text}
        </text>
      ))}
    </g>
  );
}

function anchorAt(x: number, width: number): 'start' | 'middle' | 'end' {
  if (x === 0) return 'start';
  return x === width ? 'end' : 'middle';
}
