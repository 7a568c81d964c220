/** What stands in a row and in the line above the charts, in words. Pure. */
import type { SessionDetails, TimelineItem } from '@pi-ledger/contract/answers';
import { formatCount, shortCount } from '../../../format/count.ts';
import { formatMoney } from '../../../format/money.ts';
import { formatDuration } from '../../../format/time.ts';
import type { Slot } from '../chart/slots.ts';
import { billingsIn } from './item-cost.ts';
import type { TurnRow } from './turn-rows.ts';

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `529, tried again after 2 s` */
export function failureWords({ item, retry }: TurnRow): string {
  const status = item.status === null ? 'no status told' : String(item.status);
  const again = retry === null ? '' : ', tried again';
  const after = retry?.durationMs == null ? '' : ` after ${formatDuration(retry.durationMs)}`;
  const nothing = item.costSource === 'unreported' ? '' : ', reported its usage';
  return `${status}${again}${after}${nothing}`;
}

/** `412 turns, 380 tool calls, 2 retries` */
export function mergedWords(merged: NonNullable<TimelineItem['merged']>): string {
  const parts: readonly (readonly [number, string])[] = [
    [merged.prompts, 'prompt'],
    [merged.turns, 'turn'],
    [merged.failedTurns, 'failed'],
    [merged.tools, 'tool call'],
    [merged.retries, 'retry'],
    [merged.subagents, 'subagent'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, one]) =>
      one === 'failed'
        ? `${formatCount(count)} failed`
        : counted(count, one, one === 'retry' ? 'retries' : `${one}s`),
    )
    .join(', ');
}

/** `11 turns, 10 tool calls` */
export function runWords({ turns, toolCalls }: NonNullable<TimelineItem['run']>): string {
  return [counted(turns, 'turn'), ...(toolCalls > 0 ? [counted(toolCalls, 'tool call')] : [])].join(
    ', ',
  );
}

/** What the cursor stands on: its name, and the numbers there. */
export function slotWords(slot: Slot, tools: readonly TimelineItem[]): readonly [string, string] {
  const { point, item, turns } = slot;
  const costs = billingsIn(point.byBilling).map((billing) =>
    costWords(point.byBilling[billing], billing),
  );
  if (point.kind !== 'turn') {
    const held = point.tokens === null ? '' : `${shortCount(point.tokens)} left`;
    const name = point.kind === 'compaction' ? 'compaction' : 'summary of a branch';
    return [name, joined([...costs, held])];
  }
  const name =
    turns > 1 ? `turns ${point.turn - turns + 1} to ${point.turn}` : `turn ${point.turn}`;
  const duration = item?.durationMs == null ? '' : formatDuration(item.durationMs);
  const calls = joined(tools.map((tool) => tool.name).slice(0, 4), ', ');
  return [name, joined([sentWords(slot), ...costs, duration, calls])];
}

function sentWords({ point, item }: Slot): string {
  const { tokens, cacheReadTokens, source } = point;
  if (item?.failed === true && source !== 'provider')
    return `failed${item.status === null ? '' : ` with ${item.status}`}`;
  if (tokens === null) return 'sent: n/a';
  const sent = `sent ${source === 'provider' ? '' : '~'}${formatCount(tokens)}`;
  return cacheReadTokens === null
    ? sent
    : `${sent}, of these from cache ${formatCount(cacheReadTokens)}`;
}

type Cost = NonNullable<Slot['point']['byBilling']['metered']>;

function costWords(cost: Cost | undefined, billing: string): string {
  if (cost === undefined) return '';
  const { nanoUsd, unpricedRecords, unreportedRecords } = cost;
  const kind =
    billing === 'metered' ? '' : billing === 'unknown' ? ' billing unknown' : ` ${billing}`;
  const isKnown = BigInt(nanoUsd) !== 0n || unpricedRecords + unreportedRecords === 0;
  const amount = isKnown ? formatMoney(BigInt(nanoUsd), 4) : 'cost n/a';
  const more = isKnown && unpricedRecords > 0 ? '≥ ' : '';
  const nothing = isKnown && unreportedRecords > 0 ? `, ${unreportedRecords} reported nothing` : '';
  return `${more}${amount}${kind}${nothing}`;
}

function joined(parts: readonly string[], by = '; '): string {
  return parts.filter((part) => part !== '').join(by);
}

/** What the user kept out of the ledger; not unknown spend. */
export function privateWords(hidden: SessionDetails['private']): readonly string[] {
  if (hidden === null) return [];
  const { entries, pausedSince } = hidden;
  return [
    ...(entries > 0 ? [`private: ${counted(entries, 'entry', 'entries')} not recorded`] : []),
    ...(pausedSince === null ? [] : ['recording paused']),
  ];
}
