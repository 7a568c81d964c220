/** A dot for each session, on a logarithmic scale; the cursor stands on a range of amounts. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Chart, type Plot } from '../../charts/frame.tsx';
import { dotsPath } from '../../charts/paths.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney, usdOf } from '../../format/money.ts';
import { Name, visible } from '../../parts/name.tsx';
import { usePage } from '../../state/page.ts';
import { type Place, scopeOf } from '../../state/place.ts';
import {
  type CostsOfPerson,
  costScale,
  costTicks,
  type SessionCost,
  type SessionCosts,
  scatterOf,
} from './session-costs.ts';

const peopleMax = 8;
const lanePx = 42;
const ranges = 32;
const margin = { left: 112, right: 16, top: 4 };

export function SessionDots({ costs, place }: { costs: SessionCosts; place: Place }): JSX.Element {
  const page = usePage();
  const people = costs.people.slice(0, peopleMax);
  const shown = useMemo(() => rangesOf(costs), [costs]);
  const left = costs.people.length - people.length;
  return (
    <>
      <Chart
        label="What a session costs"
        height={people.length * lanePx}
        margin={margin}
        count={ranges}
        readout={(index) => <Readout costs={costs} at={shown[index ?? -1] ?? null} />}
        table={people.map((person) => [visible(person.user ?? 'unknown'), wordsOf(person)])}
        onOpen={(index) => {
          const costliest = shown[index]?.costs.at(-1);
          if (costliest === undefined) return;
          page.go({ view: 'sessions', id: costliest.session, parameters: scopeOf(place) });
        }}
      >
        {(plot) => <Dots plot={plot} costs={costs} people={people} />}
      </Chart>
      {left > 0 && <p class="note">{formatCount(left)} more people are not drawn.</p>}
    </>
  );
}

interface DotsProps {
  readonly plot: Plot;
  readonly costs: SessionCosts;
  readonly people: readonly CostsOfPerson[];
}

function Dots({ plot, costs, people }: DotsProps): JSX.Element {
  const scale = costScale(costs.costs, plot.width);
  const most = costs.most ?? Number.POSITIVE_INFINITY;
  const at = ({ session, nanoUsd }: SessionCost, lane: number) => ({
    x: scale(usdOf(nanoUsd)),
    y: (lane + 0.5) * lanePx + scatterOf(session) * lanePx * 0.28,
  });
  const dots = (isAbove: boolean) =>
    people.flatMap((person, lane) =>
      person.costs
        .filter(({ nanoUsd }) => usdOf(nanoUsd) > most === isAbove)
        .map((cost) => at(cost, lane)),
    );
  const ticks = costTicks(scale.domain());
  return (
    <g>
      {ticks.map((usd) => {
        const x = Math.round(scale(usd)) + 0.5;
        return (
          <g key={usd}>
            <line class="grid-line" x1={x} x2={x} y1={0} y2={plot.height} />
            <text class="tick" x={x} y={plot.height + 16} text-anchor="middle">
              {formatMoney(BigInt(Math.round(usd * 1e9)), usd >= 1 ? 0 : usd >= 0.01 ? 2 : 3)}
            </text>
          </g>
        );
      })}
      <path class="dots s1" d={dotsPath(dots(false), 3)} />
      <path class="dots above s2" d={dotsPath(dots(true), 3.5)} />
      {people.map(({ user, median }, lane) => (
        <g key={user}>
          <text class="tick person" x={-margin.left} y={(lane + 0.5) * lanePx} dy="0.32em">
            {shortened(user)}
          </text>
          <rect
            class="median"
            x={scale(median) - 1}
            y={(lane + 0.5) * lanePx - 13}
            width={2}
            height={26}
          />
        </g>
      ))}
    </g>
  );
}

const nameCharsMax = 16;

function shortened(user: string | null): string {
  const chars = [...visible(user ?? '(unknown)')];
  return chars.length <= nameCharsMax
    ? chars.join('')
    : `${chars.slice(0, 8).join('')}…${chars.slice(-7).join('')}`;
}

interface Range {
  /** Dollars. */
  readonly from: number;
  readonly to: number;
  /** The cheapest first. */
  readonly costs: readonly SessionCost[];
}

function rangesOf({ costs }: SessionCosts): readonly Range[] {
  const scale = costScale(costs, ranges);
  return Array.from({ length: ranges }, (_, index) => ({
    from: scale.invert(index),
    to: scale.invert(index + 1),
    costs: costs.filter(
      ({ nanoUsd }) => Math.min(ranges - 1, Math.floor(scale(usdOf(nanoUsd)))) === index,
    ),
  }));
}

function Readout({ costs, at }: { costs: SessionCosts; at: Range | null }): JSX.Element {
  if (at === null)
    return (
      <>
        <span>bar: median</span>
        <span>
          <span class="swatch s2" />
          above 95 of 100
        </span>
      </>
    );
  const [costliest] = at.costs.slice(-1);
  return (
    <>
      <span>
        {usdWords(at.from)} to {usdWords(at.to)}: <b>{formatCount(at.costs.length)}</b>{' '}
        {at.costs.length === 1 ? 'session' : 'sessions'} of {formatCount(costs.costs.length)}
      </span>
      {costliest !== undefined && (
        <span>
          costliest {formatMoney(costliest.nanoUsd)} <Name of={costliest.user} />
        </span>
      )}
    </>
  );
}

function usdWords(usd: number): string {
  return formatMoney(BigInt(Math.round(usd * 1e9)), usd < 0.1 ? 3 : 2);
}

function wordsOf({ costs, median }: CostsOfPerson): string {
  const costliest = costs.at(-1);
  const most = costliest === undefined ? '' : `, costliest ${formatMoney(costliest.nanoUsd)}`;
  return `${formatCount(costs.length)} sessions, median ${usdWords(median)}${most}`;
}
