import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { billingLooks } from '../../../charts/billing-look.ts';
import { linearScale } from '../../../charts/scale.ts';
import { formatMoney } from '../../../format/money.ts';
import { costliest, costPaths, costSeries } from './bars.ts';
import { CursorMark } from './cursor-area.tsx';
import { Rules, Ticks } from './decorations.tsx';
import { Legend, Paths } from './drawn.tsx';
import type { Scene } from './scene.ts';

export interface CostChartProps {
  readonly scene: Scene;
  readonly left: number;
  readonly cursor: number | null;
  /** One kind: amounts of two share no axis. */
  readonly billing: Billing;
}

const top = 12;
/** What reported nothing stands as high as this share of the chart. */
const leastShare = 0.16;

/** What each turn cost, by what it was for. */
export function CostChart({ scene, left, cursor, billing }: CostChartProps): JSX.Element {
  const height = scene.isNarrow ? 60 : 80;
  const most = useMemo(() => costliest(scene.slots, billing), [scene.slots, billing]);
  const ceiling = most === 0 ? 1 : most * 1.05;
  const y = linearScale([0, ceiling], [height, 0]);
  const drawn = useMemo(
    () =>
      costPaths(scene.slots, scene.scale, (value) => y(value) ?? 0, {
        billing,
        least: ceiling * leastShare,
      }),
    [scene, billing, ceiling, height],
  );
  return (
    <>
      <Legend
        word={wordsOf[billing]}
        series={drawn.filter(({ path }) => path !== '')}
        all={costSeries}
        style={billingLooks[billing].look}
      >
        {most === 0 && <span class="quiet">no price known</span>}
      </Legend>
      <svg width={left + scene.width} height={top + height + 4} aria-hidden="true">
        <g transform={`translate(${left} ${top})`}>
          <CursorMark cursor={cursor} scale={scene.scale} height={height} />
          {most > 0 && <Ticks scale={y} width={scene.width} count={3} format={shortUsd} />}
          <Paths drawn={drawn} style={billingLooks[billing].look} />
          <Rules scene={scene} height={height} />
        </g>
      </svg>
    </>
  );
}

const wordsOf: Readonly<Record<Billing, string>> = {
  metered: 'cost:',
  subscription: 'subscription, at list price:',
  unknown: 'cost, billing unknown:',
};

function shortUsd(usd: number): string {
  if (usd === 0) return '0';
  const places = usd < 0.01 ? 3 : 2;
  return formatMoney(BigInt(Math.round(usd * 1e9)), places);
}
