import type { ContextSeries, SessionDetails, TimelineItem } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { exactUsd } from '../../../../../contract/amounts.ts';
import { formatCount } from '../../../format/count.ts';
import { Choices } from '../../../parts/choices.tsx';
import { CsvFile } from '../../../parts/csv-file.tsx';
import { CopyCommand } from '../../../parts/own-command.tsx';
import { Empty, Held, Section } from '../../../parts/section.tsx';
import { csvOf } from '../../../parts/table-rows.ts';
import { useAnswer, useAnswers, usePage } from '../../../state/page.ts';
import { type Place, withParameters } from '../../../state/place.ts';
import { rangesAsk, turnChoices, turnsAsk } from '../asks.ts';
import { turnRowsOf } from './turn-rows.ts';
import { TurnTable, type TurnTableProps } from './turn-table.tsx';

export interface TurnsProps {
  readonly place: Place;
  readonly details: SessionDetails;
  readonly series: ContextSeries | null;
  readonly billings: readonly Billing[];
  readonly turn: number | null;
  /** The session had this many before the part that is shown. */
  readonly promptsBefore: number;
  onSelect(turn: number): void;
}

export function Turns({
  place,
  details,
  series,
  billings,
  turn,
  promptsBefore,
  onSelect,
}: TurnsProps): JSX.Element {
  const page = usePage();
  const whole = useAnswer(turnsAsk(place));
  const items = whole.answer?.items;
  const isLong = (whole.answer?.itemsMerged ?? 0) > 0;
  const timeline = useAnswers([isLong ? rangesAsk(place) : turnsAsk(place)])[0] ?? whole;
  const sentAfter = useMemo(() => sentAfterSummaries(series), [series]);
  const isStretch = place.parameters.from !== undefined;
  const leave = () => page.go(withParameters(place, { from: null, to: null }));
  return (
    <Section
      title="Turns"
      width={8}
      note={
        isStretch ? (
          <button type="button" class="link" onClick={leave}>
            a part of {formatCount(details.turns)}: show all
          </button>
        ) : (
          formatCount(details.turns)
        )
      }
      end={
        <>
          <Choices parameter="turns" among={turnChoices} otherwise="all" />
          <CsvFile text={() => csvOf(csvColumns(billings), items ?? [])} />
          <CopyCommand of={() => `pi-ledger context ${details.id}`} />
        </>
      }
    >
      <Held of={timeline}>
        {(answer) =>
          answer.items.length === 0 ? (
            <Empty>{emptyWords(place)}</Empty>
          ) : (
            <TurnRows
              items={answer.items}
              promptsBefore={promptsBefore}
              {...{ turn, billings, sentAfter }}
              select={onSelect}
              openStretch={(item) => page.go(withParameters(place, stretchOf(item)))}
            />
          )
        }
      </Held>
    </Section>
  );
}

interface TurnRowsProps extends Omit<TurnTableProps, 'rows'> {
  readonly items: readonly TimelineItem[];
  readonly promptsBefore: number;
}

function TurnRows({ items, promptsBefore, ...props }: TurnRowsProps): JSX.Element {
  const rows = useMemo(() => turnRowsOf(items, promptsBefore), [items, promptsBefore]);
  return <TurnTable rows={rows} {...props} />;
}

function emptyWords({ parameters }: Place): string {
  switch (parameters.turns) {
    case 'costliest':
      return 'No turn has a price.';
    case 'failed':
      return 'Nothing failed in this session.';
    case 'misses':
      return 'No answer missed the cache.';
    default:
      return 'This session has no turns yet.';
  }
}

function stretchOf({ startedAt, time }: TimelineItem): { from: string; to: string } {
  const end = new Date(Date.parse(time) + 1).toISOString();
  return { from: startedAt ?? time, to: end };
}

/** What was sent for the answer after each summary. */
function sentAfterSummaries(series: ContextSeries | null): ReadonlyMap<string, number | null> {
  const points = series?.points ?? [];
  return new Map(
    points.flatMap(({ kind, entryId }, index) => {
      const next = points.slice(index + 1).find((point) => point.kind === 'turn');
      return kind === 'turn' ? [] : [[entryId, next?.tokens ?? null]];
    }),
  );
}

function csvColumns(billings: readonly Billing[]) {
  const plain = (name: keyof TimelineItem) => ({
    name,
    csv: (item: TimelineItem) => String(item[name] ?? ''),
  });
  return [
    ...[plain('time'), plain('kind'), plain('turn'), plain('name'), plain('failed')],
    ...[plain('status'), plain('durationMs'), plain('firstTokenMs'), plain('tokens')],
    ...[plain('cacheReadTokens'), plain('missedTokens'), plain('outputTokens')],
    ...[plain('untilThresholdTokens'), plain('resultTokens'), plain('costSource')],
    ...billings.map((billing) => ({
      name: `${billing}Usd`,
      csv: ({ costs }: TimelineItem) => {
        const nanoUsd = costs[billing];
        return nanoUsd === undefined ? '' : exactUsd(BigInt(nanoUsd));
      },
    })),
  ];
}
