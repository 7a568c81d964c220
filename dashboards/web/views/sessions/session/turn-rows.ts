/** The rows of the table of turns: answers with their calls, and what else happened. */
import type { TimelineItem } from '@pi-ledger/contract/answers';
import { promptsIn } from './prompts.ts';

export interface TurnRow {
  readonly kind: 'prompt' | 'turn' | 'failed' | 'summary' | 'subagent' | 'merged' | 'other';
  readonly key: string;
  readonly item: TimelineItem;
  /** Calls of an answer. */
  readonly tools: readonly TimelineItem[];
  /** After a failed attempt, it says how long it was until the next. */
  readonly retry: TimelineItem | null;
  /** How many prompts there were, this one included. */
  readonly prompt: number;
  /** The first and the last answer of what is merged; null: it has none, or is one item. */
  readonly range: readonly [first: number, last: number] | null;
}

/** `before`: the prompts of the session before these items. */
export function turnRowsOf(items: readonly TimelineItem[], before = 0): readonly TurnRow[] {
  const rows: TurnRow[] = [];
  let prompt = before;
  let turn = 0;
  let answer: TimelineItem[] | null = null;
  for (const [index, item] of items.entries()) {
    prompt += promptsIn(item);
    const range = rangeOf(item, turn);
    turn = item.turn ?? range?.[1] ?? turn;
    if (item.kind === 'tool' && answer !== null) answer.push(item);
    else {
      const tools: TimelineItem[] = [];
      rows.push(...rowOf(items, index, { tools, prompt, range }));
      if (item.kind === 'turn') answer = tools;
      if (item.kind === 'prompt') answer = null;
    }
  }
  return rows;
}

/** `before`: the last answer before it. */
function rangeOf({ merged, turn }: TimelineItem, before: number): TurnRow['range'] {
  if (merged === null || merged.turns === 0) return null;
  const last = turn ?? before + merged.turns;
  return [Math.max(1, last - merged.turns + 1), last];
}

function rowOf(
  items: readonly TimelineItem[],
  index: number,
  known: Pick<TurnRow, 'tools' | 'prompt' | 'range'>,
): readonly TurnRow[] {
  const item = items[index];
  const kind = item === undefined ? null : kindOf(item);
  if (item === undefined || kind === null) return [];
  const key = `${index}:${item.entryId ?? item.time}`;
  const retry = kind === 'failed' ? retryAfter(items, index) : null;
  return [{ kind, key, item, retry, ...known }];
}

/** Returns null for an item that has no row of its own. */
function kindOf({ kind, failed }: TimelineItem): TurnRow['kind'] | null {
  switch (kind) {
    case 'prompt':
    case 'subagent':
    case 'merged':
      return kind;
    case 'turn':
      return failed ? 'failed' : 'turn';
    case 'compaction':
    case 'failedCompaction':
    case 'branchSummary':
      return 'summary';
    case 'tool':
    case 'sideCall':
      return 'other';
    default:
      return null;
  }
}

/** The attempt after it was planned before the next answer. */
function retryAfter(items: readonly TimelineItem[], index: number): TimelineItem | null {
  for (const item of items.slice(index + 1)) {
    if (item.kind === 'retry') return item;
    if (item.kind === 'turn' || item.kind === 'prompt') return null;
  }
  return null;
}
