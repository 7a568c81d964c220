/** The whole session as a strip: a part of it is chosen by dragging, or by keys. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useColumnDrag } from './column-drag.ts';
import { LaneMarks } from './lane-marks.tsx';
import { laneHeight, laneNames, lanePaths } from './lanes.ts';
import type { Scene } from './scene.ts';
import { around, between, type Stretch, stretchAfter, stretchWords } from './stretch.ts';

export interface MinimapProps {
  /** It is the scene of the whole session. */
  readonly scene: Scene;
  readonly left: number;
  readonly stretch: Stretch | null;
  /** `stretch` is null for all of it. */
  onChoose(stretch: Stretch | null): void;
}

const height = 30;
const lanesScale = height / (laneNames.length * laneHeight);

export function Minimap({ scene, left, stretch, onChoose }: MinimapProps): JSX.Element {
  const { slots, spans, scale, width } = scene;
  const count = slots.length;
  const paths = useMemo(() => lanePaths(spans, scale), [spans, scale]);
  const choose = (next: Stretch) =>
    onChoose(next.first === 0 && next.last === count - 1 ? null : next);
  const { drag, handlers } = useColumnDrag({
    columnAt: ({ clientX, currentTarget }) =>
      scale.columnAt(Math.max(0, clientX - currentTarget.getBoundingClientRect().left - left)) ?? 0,
    onDone: ({ from, to }) =>
      choose(from === to ? around(from, stretch, count) : between(from, to)),
  });
  const shown = drag === null ? stretch : between(drag.from, drag.to);
  return (
    <div
      class="minimap"
      role="slider"
      tabIndex={0}
      aria-label="Part of the session"
      title="Drag over a part; + and - zoom, arrows move, Esc shows all"
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={shown === null ? 0 : Math.floor((shown.first + shown.last) / 2)}
      aria-valuetext={stretchWords(shown, slots)}
      {...handlers}
      onKeyDown={(event) => {
        const next = stretchAfter(event.key, stretch, count);
        if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        if (next === null) onChoose(null);
        else choose(next);
      }}
    >
      <svg width={left + width} height={height} aria-hidden="true">
        <text class="tick" x={left - 8} y={height / 2} dy="0.32em" text-anchor="end">
          all
        </text>
        <g transform={`translate(${left} 0)`}>
          <rect class="ground" x={0} y={0} width={width} height={height} />
          <g transform={`scale(1 ${lanesScale})`}>
            <LaneMarks paths={paths} />
          </g>
          {shown !== null && <Frame stretch={shown} scene={scene} />}
        </g>
      </svg>
    </div>
  );
}

const leastPx = 3;

function Frame({ stretch, scene }: { stretch: Stretch; scene: Scene }): JSX.Element {
  const { scale, width } = scene;
  const [left] = scale.column(stretch.first);
  const right = Math.max(left + leastPx, scale.column(stretch.last)[1]);
  return (
    <g>
      <path class="veil" d={`M0 0H${left}V${height}H0zM${right} 0H${width}V${height}H${right}z`} />
      <rect class="frame" x={left} y={0.5} width={right - left} height={height - 1} />
    </g>
  );
}
