/** Context, cost and time of a session: three charts, one x axis, one cursor. */
import type { ContextSeries, Timeline } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useWidth } from '../../../charts/width.ts';
import type { Parameters } from '../../../state/place.ts';
import { slotWords } from '../session/words.ts';
import { type Content, contentOf, partOf } from './content.ts';
import { ContextChart } from './context-chart.tsx';
import { CostChart } from './cost-chart.tsx';
import { CursorArea } from './cursor-area.tsx';
import { findSpans } from './find.ts';
import { FindField } from './find-field.tsx';
import { LanesChart } from './lanes-chart.tsx';
import { Minimap } from './minimap.tsx';
import type { Scene } from './scene.ts';
import type { Slot } from './slots.ts';
import type { Span } from './spans.ts';
import { stretchIn, stretchWords, timesOf } from './stretch.ts';
import { type Along, timeScale } from './time-scale.ts';

/** Room for the labels at the left, in px. */
const labelsPx = 60;
const labelsNarrowPx = 48;
const narrowPx = 560;

export interface SessionChartsProps {
  readonly series: ContextSeries;
  /** It is the timeline of the whole session. */
  readonly timeline: Timeline;
  /** It has the part that the parameters name; null until it has come. */
  readonly part: Timeline | null;
  readonly parameters: Parameters;
  readonly along: Along;
  readonly billing: Billing;
  /** The turn that is selected. */
  readonly turn: number | null;
  onSelect(turn: number): void;
  /** `times` is null for all of it. */
  onPart(times: { readonly from: string; readonly to: string } | null): void;
}

export function SessionCharts(props: SessionChartsProps): JSX.Element {
  const { series, timeline, part, parameters, along, billing, turn, onSelect, onPart } = props;
  const { ref, width } = useWidth<HTMLElement>();
  const [hovered, setHovered] = useState<number | null>(null);
  const whole = useMemo(() => contentOf(series.points, timeline.items), [series, timeline]);
  const stretch = stretchIn(parameters, whole.slots);
  const shown = useMemo(
    () => (stretch === null ? whole : partOf(whole, stretch, part?.items ?? null)),
    [whole, part, stretch?.first, stretch?.last],
  );
  const { spans, slots } = shown;
  const [{ text, at }, setFind] = useState<{ text: string; at: number | null }>(noFind);
  const finds = useMemo(() => findSpans(text, spans, slots), [text, spans, slots]);
  const isThinned = spans.some(({ item }) => item.kind === 'merged');
  const left = width < narrowPx ? labelsNarrowPx : labelsPx;
  const sceneOf = (content: Content): Scene => {
    const room = Math.max(0, width - left);
    const scale = timeScale(content.slots, along, room);
    return { ...content, scale, width: room, isNarrow: width < narrowPx };
  };
  const scene = useMemo(() => sceneOf(shown), [shown, along, width, left]);
  const wholeScene = useMemo(() => sceneOf(whole), [whole, along, width, left]);
  const selected = slotOfTurn(slots, turn);
  const cursor = hovered ?? selected;
  const slot = cursor === null ? undefined : slots[cursor];
  const words = slot === undefined ? null : slotWords(slot, toolsIn(slot, spans));
  return (
    <figure class="chart session-charts" ref={ref} aria-label="Context, cost and time">
      <p class="readout">
        {words !== null && <span>{`${words[0]}: ${words[1]}`}</span>}
        {words === null && stretch !== null && <span>{stretchWords(stretch, whole.slots)}</span>}
      </p>
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
            <ContextChart
              {...{ scene, left, cursor }}
              compactions={compactionsOf(part ?? timeline)}
            />
            <CostChart {...{ scene, left, cursor, billing }} />
            <LanesChart
              {...{ scene, left, cursor, along, finds }}
              current={finds?.[at ?? -1] ?? null}
            />
          </>
        )}
      </CursorArea>
      {width > 0 && (stretch !== null || whole.slots.length >= minimapSlotsMin) && (
        <Minimap
          {...{ left, stretch }}
          scene={wholeScene}
          onChoose={(next) => onPart(next && timesOf(next, whole.slots))}
        />
      )}
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

/** A part of fewer is as easily seen in the whole. */
const minimapSlotsMin = 12;

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
