/** The largest tool results and the cache misses of a context, as tables. */
import type { CacheMiss, ContextWindow, LargestResult } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import { amountText } from './compaction-row.ts';
import { formatCount, formatTime } from './format.ts';
import { type Column, printTable } from './table.ts';
import { countOf } from './usage-table.ts';

const listedMax = 10;

export function printLargest(
  results: readonly LargestResult[],
  terminal: Terminal,
  timeZone?: string,
): void {
  const columns: Column<LargestResult>[] = [
    { title: 'tool', align: 'left', dropOrder: 0, widthMax: 30, cell: ({ toolName }) => toolName },
    { title: 'tokens', align: 'right', dropOrder: 0, cell: ({ tokens }) => formatCount(tokens) },
    {
      title: 'now',
      align: 'left',
      dropOrder: 2,
      cell: ({ isInContext }) => (isInContext ? 'in context' : 'gone'),
    },
    { title: 'when', align: 'left', dropOrder: 3, cell: ({ time }) => formatTime(time, timeZone) },
    {
      title: 'files',
      align: 'left',
      dropOrder: 1,
      widthMax: 60,
      cell: ({ paths }) => paths.join(', '),
    },
  ];
  if (results.length === 0) return;
  terminal.print('');
  terminal.print('The largest tool results (estimated)');
  printTable(terminal, columns, results.slice(0, listedMax));
}

const reasons: Readonly<Record<string, string>> = {
  compaction: 'a compaction',
  cleared: 'a cleared context',
  branch: 'another branch',
  model: 'another model',
  tools: 'other tools or system prompt',
  idle1h: 'a pause of over an hour',
  idle5min: 'a pause of over 5 minutes',
  unknown: 'unknown',
};

export function printMisses(
  { cacheMisses }: ContextWindow,
  terminal: Terminal,
  timeZone?: string,
): void {
  const { count, missedTokens, costNanoUsd, unpriced, byReason, worst } = cacheMisses;
  if (count === 0) return;
  const cost =
    unpriced === count
      ? 'at an unknown price'
      : `for ${amountText(costNanoUsd)} more than from the cache`;
  const columns: Column<CacheMiss>[] = [
    { title: 'when', align: 'left', dropOrder: 1, cell: ({ time }) => formatTime(time, timeZone) },
    {
      title: 'from cache before',
      align: 'right',
      dropOrder: 2,
      cell: ({ fromTokens }) => formatCount(fromTokens),
    },
    { title: 'then', align: 'right', dropOrder: 3, cell: ({ toTokens }) => formatCount(toTokens) },
    {
      title: 'sent again',
      align: 'right',
      dropOrder: 0,
      cell: (miss) => formatCount(miss.missedTokens),
    },
    { title: 'cost', align: 'right', dropOrder: 0, cell: (miss) => amountText(miss.costNanoUsd) },
    { title: 'why', align: 'left', dropOrder: 0, cell: ({ reason }) => reasons[reason] ?? reason },
  ];
  const misses = countOf(count, 'cache miss', 'cache misses');
  const why = byReason.map(whyText).join(', ');
  const title = `${misses}: ${countOf(missedTokens, 'token')} sent again ${cost} (${why})`;
  terminal.print('');
  terminal.print(title);
  printTable(terminal, columns, worst.slice(0, listedMax));
}

function whyText({ count, reason }: { readonly count: number; readonly reason: string }): string {
  return reason === 'unknown'
    ? `${formatCount(count)} for an unknown reason`
    : `${formatCount(count)} after ${reasons[reason] ?? reason}`;
}
