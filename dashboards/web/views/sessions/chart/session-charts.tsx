/** Context, cost and time of a session: three charts, one x axis, one cursor. */
import type { ContextSeries, Timeline } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useWidth } from '../../../charts/width.ts';
import type { Billing } from '../../../format/spend.ts';
import { slotWords } from '../session/words.ts';
import { ContextChart } from './context-chart.tsx';
import { CostChart } from './cost-chart.tsx';
import { CursorArea } from './cursor-area.tsx';
import { findSpans } from './find.ts';
import { FindField } from './find-field.tsx';
import { LanesChart } from './lanes-chart.tsx';
import type { Scene } from './scene.ts';
import { type Slot, slotsOf } from './slots.ts';
import { type Span, spansOf } from './spans.ts';
import { type Along, timeScale } from './time-scale.ts';

/** Room for the labels at the left, in px. */
const labelsPx = 60;
const labelsNarrowPx = 48;
const narrowPx = 560;

export interface SessionChartsProps {
  readonly series: ContextSeries;
  readonly timeline: Timeline;
  readonly along: Along;
  readonly billing: Billing;
  /** The turn that is selected. */
  readonly turn: number | null;
  onSelect(turn: number): void;
}

export function SessionCharts(props: SessionChartsProps): JSX.Element {
  const { series, timeline, along, billing, turn, onSelect } = props;
  const { ref, width } = useWidth<HTMLElement>();
  const [hovered, setHovered] = useState<number | null>(null);
  const spans = useMemo(() => spansOf(timeline.items), [timeline]);
  const slots = useMemo(() => slotsOf(series.points, spans), [series, spans]);
  const [{ text, at }, setFind] = useState<{ text: string; at: number | null }>(noFind);
  const finds = useMemo(() => findSpans(text, spans, slots), [text, spans, slots]);
  const isThinned = spans.some(({ item }) => item.kind === 'merged');
  const left = width < narrowPx ? labelsNarrowPx : labelsPx;
  const scene = useMemo((): Scene => {
    const room = Math.max(0, width - left);
    const isNarrow = width < narrowPx;
    return { slots, spans, scale: timeScale(slots, along, room), width: room, isNarrow };
  }, [slots, spans, along, width, left]);
  const selected = slotOfTurn(slots, turn);
  const cursor = hovered ?? selected;
  const slot = cursor === null ? undefined : slots[cursor];
  const words = slot === undefined ? null : slotWords(slot, toolsIn(slot, spans));
  return (
    <figure class="chart session-charts" ref={ref} aria-label="Context, cost and time">
      <p class="readout">{words !== null && <span>{`${words[0]}: ${words[1]}`}</span>}</p>
      <CursorArea
        {...{ cursor, words, left, scale: scene.scale, count: slots.length }}
        move={setHovered}
        select={(index) => {
          const chosen = slots[index]?.point.turn;
          if (chosen !== undefined) onSelect(chosen);
        }}
      >
        {width > 0 && slots.length > 0 && (
          <>
            <ContextChart {...{ scene, left, cursor }} compactions={compactionsOf(timeline)} />
            <CostChart {...{ scene, left, cursor, billing }} />
            <LanesChart
              {...{ scene, left, cursor, along, finds }}
              current={finds?.[at ?? -1] ?? null}
            />
          </>
        )}
      </CursorArea>
      <FindField
        {...{ text, finds, at, isThinned }}
        onFind={(next) => setFind({ text: next, at: null })}
        onGo={(next) => {
          setFind({ text, at: next });
          const found = finds?.[next];
          if (found !== undefined) onSelect(found.turn);
        }}
      />
    </figure>
  );
}

const noFind = { text: '', at: null };

/** The column that has the turn. */
function slotOfTurn(slots: readonly Slot[], turn: number | null): number | null {
  if (turn === null) return null;
  const index = slots.findIndex(({ point }) => point.kind === 'turn' && point.turn >= turn);
  return index === -1 ? null : index;
}

function toolsIn({ from, to, item }: Slot, spans: readonly Span[]) {
  if (item === null) return [];
  return spans
    .filter((span) => span.item.kind === 'tool' && span.from >= from && span.to <= to)
    .map((span) => span.item);
}

function compactionsOf({ items }: Timeline) {
  return new Map(
    items.flatMap((item) => (item.kind === 'compaction' ? [[item.entryId ?? '', item]] : [])),
  );
}
