/** The net of each compaction: a dot over time. Above the line it paid. */
import type { CompactionList } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { billings } from '../../../../contract/answers/billings.ts';
import { ColumnAxis, ValueAxis } from '../../charts/axis.tsx';
import { Chart, type Plot } from '../../charts/frame.tsx';
import { usePainted } from '../../charts/painted.ts';
import { dotsPath } from '../../charts/paths.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { billingWords } from '../../format/spend.ts';
import { formatDay } from '../../format/time.ts';
import { Choices, chosen } from '../../parts/choices.tsx';
import { scopeWords } from '../../parts/scope-words.ts';
import { Section } from '../../parts/section.tsx';
import { usePage } from '../../state/page.ts';
import { type Period, rangeOf } from '../../state/period.ts';
import { type Place, withParameters } from '../../state/place.ts';
import { columnsOf } from '../overview/steps.ts';
import {
  billingOfMost,
  dotsOf,
  type NetDot,
  netScale,
  shareOfDay,
  verdictWords,
} from './net-dots.ts';

export interface NetChartProps {
  readonly answer: CompactionList;
  readonly period: Period;
  readonly place: Place;
  readonly today: string;
}

/** Shows one kind of billing: an axis of dollars has no other beside it. */
export function NetOfEach({ answer, period, place, today }: NetChartProps): JSX.Element {
  const all = useMemo(() => dotsOf(answer.rows), [answer.rows]);
  const otherwise = billingOfMost(all);
  const among = billings.map((value) => ({ value, words: billingWords[value] }));
  const billing = chosen(place.parameters.billing, among, otherwise);
  const dots = useMemo(() => all.filter((dot) => dot.billing === billing), [all, billing]);
  const choices = among
    .map((each) => ({ ...each, count: all.filter((dot) => dot.billing === each.value).length }))
    .filter(({ value, count }) => count > 0 || value === billing)
    .map(({ value, words, count }) => ({ value, words: `${words} ${formatCount(count)}` }));
  return (
    <Section
      title="Net of each"
      picture={scopeWords(place, { day: today })}
      note={[
        `${billingWords[billing]}: ${verdictWords(dots) || 'none'}`,
        ...(billing === 'subscription' ? ['list price, not billed'] : []),
        ...(answer.next === null ? [] : [`of the newest ${formatCount(answer.rows.length)}`]),
      ].join('; ')}
      end={<Choices parameter="billing" among={choices} otherwise={otherwise} />}
    >
      <NetChart {...{ place, today, dots, billing }} days={columnsOf(period, answer.rows, 'day')} />
    </Section>
  );
}

const heightPx = 112;

interface DotsChartProps extends Pick<NetChartProps, 'place' | 'today'> {
  readonly days: readonly string[];
  readonly dots: readonly NetDot[];
  readonly billing: Billing;
}

function NetChart({ days, dots, billing, place, today }: DotsChartProps): JSX.Element {
  const page = usePage();
  const isPainted = usePainted();
  const byDay = useMemo(() => Map.groupBy(dots, ({ day }) => day), [dots]);
  const said = (day: string, some: readonly NetDot[]): readonly [string, string] => [
    formatDay(day, today),
    verdictWords(some) || 'none',
  ];
  return (
    <>
      <p class="legend">
        <Key class={`s1 ${fillOf(billing)}`} words="above the line: it paid" />
        <Key class={`s2 ${fillOf(billing)}`} words="it cost more than it saved" />
        <Key class="s0 ring" words="at most: a cost in it is not known" />
      </p>
      <Chart
        label={`Net of each compaction, ${billingWords[billing]}`}
        height={heightPx}
        count={days.length}
        readout={(index) => {
          const day = index === null ? undefined : days[index];
          if (day === undefined)
            return <span class="hint">A day: Enter or a click shows it alone</span>;
          const [name, words] = said(day, byDay.get(day) ?? []);
          return (
            <>
              <b>{name}</b> {words}
            </>
          );
        }}
        table={isPainted ? days.map((day) => said(day, byDay.get(day) ?? [])) : []}
        onOpen={(index) => {
          const day = days[index];
          if (day === undefined) return;
          page.go(withParameters(place, { range: rangeOf({ since: day, until: day }) }));
        }}
      >
        {(plot) => (
          <>
            {isPainted && <Dots dots={dots} plot={plot} days={days} />}
            <ColumnAxis
              plot={plot}
              count={days.length}
              label={(index) => formatDay(days[index] ?? '', today)}
            />
          </>
        )}
      </Chart>
    </>
  );
}

function Key(props: { class: string; words: string }): JSX.Element {
  return (
    <span>
      <span class={`swatch ${props.class}`} />
      {props.words}
    </span>
  );
}

/** One path for each look that occurs. */
function Dots(props: { dots: readonly NetDot[]; plot: Plot; days: readonly string[] }) {
  const { dots, plot, days } = props;
  const scale = netScale(dots, plot.height);
  const indexes = new Map(days.map((day, index) => [day, index]));
  const points = (some: readonly NetDot[]) =>
    some.flatMap((dot) => {
      const index = indexes.get(dot.day);
      if (index === undefined) return [];
      return { x: plot.columnX(index) + shareOfDay(dot) * plot.columnWidth, y: scale(dot.usd) };
    });
  return (
    <>
      <ValueAxis
        plot={plot}
        scale={scale}
        count={4}
        format={(usd) => formatMoney(BigInt(Math.round(usd * 1e9)), usd % 1 === 0 ? 0 : 2)}
      />
      {[...Map.groupBy(dots, lookOf)].map(([look, some]) => (
        <path key={look} class={`dots ${look}`} d={dotsPath(points(some), 3)} />
      ))}
    </>
  );
}

const seriesOf = { paid: 's1', lost: 's2', atMost: 's0' } as const;

function lookOf({ verdict, billing }: NetDot): string {
  return `${seriesOf[verdict]} ${verdict === 'atMost' ? 'ring' : fillOf(billing)}`;
}

/** What a subscription covers is pale, as in every chart. */
function fillOf(billing: Billing): 'pale' | 'solid' {
  return billing === 'subscription' ? 'pale' : 'solid';
}
