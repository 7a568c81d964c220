/** The cells of a row in the table of turns. */
import type { TimelineItem } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { ComponentChildren, JSX } from 'preact';
import { formatCount, formatShare, shortCount } from '../../../format/count.ts';
import { formatDuration } from '../../../format/time.ts';
import { Link } from '../../../parts/link.tsx';
import { Marked, None, NotKnown } from '../../../parts/marks.tsx';
import { Money } from '../../../parts/money.tsx';
import { Name } from '../../../parts/name.tsx';
import { costOfItem } from './item-cost.ts';
import type { TurnRow } from './turn-rows.ts';
import { counted, failureWords, mergedWords, runWords } from './words.ts';

export interface TurnTools {
  select(turn: number): void;
  /** Shows what is merged, item by item. */
  openStretch(item: TimelineItem): void;
  /** What a compaction left, by entry. */
  readonly sentAfter: ReadonlyMap<string, number | null>;
}

export interface TurnRowCellsProps {
  readonly row: TurnRow;
  readonly billings: readonly Billing[];
  readonly tools: TurnTools;
}

export function TurnRowCells({ row, billings, tools }: TurnRowCellsProps): JSX.Element {
  const { item } = row;
  return (
    <>
      <td class={row.kind === 'prompt' ? undefined : 'inside'}>
        <Head row={row} tools={tools} />
      </td>
      <td class="what">
        <What row={row} tools={tools} />
      </td>
      <td class="number goes-second">{tookOf(item)}</td>
      <td class="number goes-second">{sentOf(row)}</td>
      <td class="number goes-second">{isAnswer(row) && fromCacheOf(item)}</td>
      <td class="number goes-first">{isAnswer(row) && countOr(item.outputTokens)}</td>
      <td class="number goes-first">{isAnswer(row) && countOr(item.untilThresholdTokens)}</td>
      {billings.map((billing) => (
        <td key={billing} class="number">
          <Cost item={item} billing={billing} isOnly={billings.length === 1} />
        </td>
      ))}
    </>
  );
}

function Head({ row, tools }: { row: TurnRow; tools: TurnTools }): JSX.Element {
  const { kind, item } = row;
  const { select, openStretch } = tools;
  switch (kind) {
    case 'prompt':
      return <>Prompt {row.prompt}</>;
    case 'turn':
    case 'failed':
      return (
        <button
          type="button"
          class={kind === 'failed' ? 'bad' : undefined}
          onClick={() => item.turn !== null && select(item.turn)}
        >
          {item.turn}
          {kind === 'failed' && ' failed'}
        </button>
      );
    case 'summary':
      return <>{summaryNames[item.kind]}</>;
    case 'merged':
      return (
        <button type="button" class="link" onClick={() => openStretch(item)}>
          {row.range === null ? 'together' : `${row.range.join(' to ')}`}
        </button>
      );
    case 'subagent':
      return <>subagent</>;
    case 'other':
      return <>{item.kind === 'tool' ? 'tool' : 'side call'}</>;
  }
}

const summaryNames: Readonly<Partial<Record<TimelineItem['kind'], string>>> = {
  compaction: 'compaction',
  failedCompaction: 'compaction failed',
  branchSummary: 'branch left',
};

function What({ row, tools }: { row: TurnRow; tools: TurnTools }): JSX.Element {
  const { kind, item } = row;
  switch (kind) {
    case 'prompt':
      return <>{item.run === null ? '' : runWords(item.run)}</>;
    case 'turn':
      return <Calls row={row} />;
    case 'failed':
      return <span class="quiet">{failureWords(row)}</span>;
    case 'summary':
      return <Summary item={item} after={tools.sentAfter.get(item.entryId ?? '') ?? null} />;
    case 'subagent':
      return <Subagent item={item} />;
    case 'merged':
      return <span class="quiet">{item.merged === null ? '' : mergedWords(item.merged)}</span>;
    case 'other':
      return <Name of={item.name} />;
  }
}

const callsMax = 3;

/** What the answer called, and how large the results are. */
function Calls({ row: { tools, item } }: { row: TurnRow }): JSX.Element {
  if (tools.length === 0) return <span class="quiet">answer</span>;
  return (
    <>
      {tools.slice(0, callsMax).map((tool) => (
        <span key={tool.entryId} class="call">
          <Name of={tool.name} />{' '}
          {tool.paths[0] !== undefined && (
            <span class="quiet">
              <Name of={tool.paths[0]} />{' '}
            </span>
          )}
          {tool.failed && <span class="bad">failed </span>}
          {tool.resultTokens !== null && (
            <span class="quiet">
              <Marked mark="estimated">{shortCount(tool.resultTokens)}</Marked>
            </span>
          )}
        </span>
      ))}
      {tools.length > callsMax && <span class="quiet">and {tools.length - callsMax} more</span>}
      {item.missedTokens !== null && (
        <span class="quiet"> missed {shortCount(item.missedTokens)} in the cache</span>
      )}
    </>
  );
}

function Summary({ item, after }: { item: TimelineItem; after: number | null }): JSX.Element {
  if (item.kind === 'failedCompaction') return <Name of={item.name} unknown="" />;
  if (item.kind === 'branchSummary') return <span class="quiet">its summary</span>;
  return (
    <span class="quiet">
      {countOr(item.tokens)} to {countOr(after)}
      {after !== null && ' measured'}
    </span>
  );
}

function Subagent({ item }: { item: TimelineItem }): JSX.Element {
  const turns = item.subagent?.turns ?? 0;
  return (
    <>
      <Link view="sessions" id={item.subagent?.session ?? null}>
        <Name of={item.name} unknown="subagent" />, {counted(turns, 'turn')}, a session of its own
      </Link>
      <span class="quiet">: not counted again here</span>
    </>
  );
}

function Cost(props: {
  item: TimelineItem;
  billing: Billing;
  isOnly: boolean;
}): JSX.Element | null {
  const amount = costOfItem(props.item, props.billing, props.isOnly);
  return amount === null ? null : <Money {...amount} places={4} />;
}

function isAnswer({ kind }: TurnRow): boolean {
  return kind === 'turn';
}

function tookOf({ durationMs, run, kind }: TimelineItem): ComponentChildren {
  const ms = run?.durationMs ?? durationMs;
  if (ms !== null) return formatDuration(ms);
  return kind === 'turn' ? <NotKnown /> : null;
}

function sentOf({ kind, item }: TurnRow): ComponentChildren {
  return kind === 'turn' ? countOr(item.tokens) : null;
}

function fromCacheOf({ cacheReadTokens, tokens }: TimelineItem): ComponentChildren {
  if (cacheReadTokens === null || tokens === null) return <NotKnown />;
  return tokens === 0 ? <None /> : formatShare(cacheReadTokens, tokens);
}

function countOr(count: number | null): ComponentChildren {
  return count === null ? <NotKnown /> : formatCount(count);
}
