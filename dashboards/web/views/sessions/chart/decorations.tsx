import type { JSX } from 'preact';
import type { Scale } from '../../../charts/scale.ts';
import type { Scene } from './scene.ts';

export interface TicksProps {
  readonly scale: Scale;
  readonly width: number;
  readonly count: number;
  format(value: number): string;
}

/** Lines and labels at round values. */
export function Ticks({ scale, width, count, format }: TicksProps): JSX.Element {
  return (
    <g>
      {scale.ticks(count).map((value) => {
        const y = Math.round(scale(value)) + 0.5;
        return (
          <g key={value}>
            <line class={value === 0 ? 'axis' : 'grid-line'} x1={0} x2={width} y1={y} y2={y} />
            <text class="tick" x={-8} y={y} dy="0.32em" text-anchor="end">
              {format(value)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** More are faint: they would hide what they divide. */
const rulesMax = 30;

/** A compaction is a rule through all charts; folded idle time a faint one. */
export function Rules({ scene, height }: { scene: Scene; height: number }): JSX.Element {
  const { slots, scale } = scene;
  const compactions = slots
    .map(({ point }, index) => {
      const [left, right] = scale.column(index);
      return point.kind === 'compaction' ? `M${(left + right) / 2} 0V${height}` : '';
    })
    .join('');
  const count = slots.filter(({ point }) => point.kind === 'compaction').length;
  const folds = scale.folds.map(({ x }) => `M${x} 0V${height}`).join('');
  return (
    <g>
      <path class="fold" d={folds} />
      <path class={count > rulesMax ? 'rule many' : 'rule'} d={compactions} />
    </g>
  );
}
