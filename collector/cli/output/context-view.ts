/**
 * A session's context for people: what filled the window, when it was compacted, what was read
 * again, what missed the cache.
 */

import type {
  CacheMiss,
  ContextPoint,
  ContextWindow,
  LargestResult,
} from '@pi-ledger/contract/answers';
import type { Line, Terminal } from '../command.ts';
import { amountText } from './compaction-row.ts';
import { printRows } from './compactions-table.ts';
import { drawComposition } from './composition-bar.ts';
import { drawContext } from './context-chart.ts';
import { formatCount, formatTime } from './format.ts';
import { type Column, renderTable } from './table.ts';
import { countOf } from './usage-table.ts';

type Now = NonNullable<ContextWindow['now']>;

/** Where the output is no terminal. */
const widthDefault = 100;
const widthMax = 160;
const listedMax = 10;

interface Shown {
  readonly timeZone?: string | undefined;
  readonly isAsked?: boolean;
}

/** `isAsked`: the composition at an entry that was asked for, not the newest. */
export function printContext(
  answer: ContextWindow,
  terminal: Terminal,
  { timeZone, isAsked = false }: Shown = {},
): void {
  const width = Math.min(terminal.columns ?? widthDefault, widthMax);
  terminal.print(headline(answer, timeZone));
  if (answer.points.length === 0) {
    terminal.print('No answer is recorded in this session yet.');
    return;
  }
  for (const line of [nowLine(answer.now), cacheLine(answer.points), forecastLine(answer)])
    if (line !== null) terminal.print(line);
  print(terminal, '', drawContext(answer.points, width));
  const { composition } = answer;
  const { at, totalTokens, source } = composition;
  const what = isAsked ? `What filled it at ${at}` : 'What fills it';
  const title = `${what}: ${countOf(totalTokens, 'token')} (${sources[source]}), its parts estimated`;
  print(terminal, title, drawComposition(composition.parts, composition.totalTokens, width));
  printCompactions(answer, terminal, timeZone);
  printLargest(answer.largestResults, terminal, timeZone);
  printMisses(answer, terminal, timeZone);
  if (answer.factsLeftOut > 0) {
    terminal.print('');
    terminal.print(
      `${countOf(answer.factsLeftOut, 'entry', 'entries')} beyond what is kept: left out.`,
    );
  }
}

function headline(
  { session, project, host, startedAt, lastSeenAt, turns }: ContextWindow,
  timeZone?: string,
): string {
  const when = `${formatTime(startedAt, timeZone)} to ${formatTime(lastSeenAt, timeZone)}`;
  return `Session ${session}: ${project ?? '(unknown project)'}, ${host ?? 'host unknown'}, ${when}, ${countOf(turns, 'turn')}`;
}

const sources = {
  provider: 'measured by the provider',
  estimate: 'estimated',
  unknown: 'not known',
} as const;

function nowLine(now: Now | null): string | null {
  return now === null ? null : `${sentText(now)}; ${thresholdText(now)}.`;
}

function sentText({ kind, tokens, source, model }: Now): string {
  if (tokens === null) return 'Nothing was answered since the last compaction or clearing';
  if (kind === 'branchSummary')
    return `${countOf(tokens, 'token')} held behind a branch summary (${sources[source]})`;
  if (kind === 'compaction')
    return `${countOf(tokens, 'token')} right after a compaction, by the host's estimate`;
  return `${countOf(tokens, 'token')} sent last${model === '' ? '' : ` for ${model}`} (${sources[source]})`;
}

/** Of the last answer that was measured. */
function cacheLine(points: readonly ContextPoint[]): string | null {
  const last = points.findLast(({ cacheReadTokens }) => cacheReadTokens !== null);
  if (last === undefined || !last.tokens) return null;
  const [read, written] = [last.cacheReadTokens ?? 0, last.cacheWriteTokens ?? 0];
  const share = (tokens: number) => `${Math.round((tokens / (last.tokens ?? 1)) * 100)} %`;
  return `Of what was last measured, ${share(read)} came from the cache, ${share(written)} was written to it, and ${share(last.tokens - read - written)} was neither.`;
}

const settings = {
  host: "by the host's settings",
  files: 'by its settings files',
  default: 'by its defaults',
} as const;

function thresholdText({ threshold, untilThresholdTokens }: Now): string {
  if (threshold === null) return 'the window is not known: no live host told it';
  const { windowTokens, thresholdTokens, source } = threshold;
  const window = `the window holds ${formatCount(windowTokens)}`;
  if (thresholdTokens === null)
    return `${window}, and the host does not compact by itself (${settings[source]})`;
  const left = untilThresholdTokens === null ? '' : `: ${leftText(untilThresholdTokens)}`;
  return `${window}, and the host compacts above ${formatCount(thresholdTokens)} (${settings[source]})${left}`;
}

function leftText(tokens: number): string {
  return tokens >= 0 ? `${formatCount(tokens)} left` : `${formatCount(-tokens)} over it`;
}

function forecastLine({ forecast: { growthTokens, turnsLeft } }: ContextWindow): string | null {
  if (growthTokens === null) return null;
  const growth = `Lately it grew by ${formatCount(Math.round(growthTokens))} a turn`;
  if (growthTokens <= 0) return `${growth.replace(' grew by', ' changed by')}.`;
  if (turnsLeft === null) return `${growth}.`;
  return turnsLeft === 0
    ? `${growth}: the next turn will be compacted.`
    : `${growth}: about ${countOf(turnsLeft, 'turn')} until it is compacted.`;
}

function printCompactions(
  { compactions, compactionTotals: total }: ContextWindow,
  terminal: Terminal,
  timeZone?: string,
): void {
  if (compactions.length === 0) return;
  const made = total.compactions + total.branchSummaries;
  const cost =
    total.unreportedCosts === made ? 'cost not known' : `cost ${amountText(total.costNanoUsd)}`;
  const again =
    total.regretReads === 0
      ? 'nothing read again'
      : `files read again ${countOf(total.regretReads, 'time')}`;
  const parts = [
    ...(total.compactions > 0 ? [countOf(total.compactions, 'compaction')] : []),
    ...(total.branchSummaries > 0
      ? [countOf(total.branchSummaries, 'branch summary', 'branch summaries')]
      : []),
    ...(total.failures > 0 ? [`${formatCount(total.failures)} failed`] : []),
  ];
  terminal.print('');
  terminal.print(`${parts.join(', ')}${made === 0 ? '' : `: ${cost}, ${again}`}`);
  printRows(compactions.slice(-listedMax), terminal, { timeZone, isOneSession: true });
  if (compactions.length > listedMax)
    terminal.print(`The newest ${listedMax}; \`compactions --session\` has all.`);
}

function printLargest(
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
  if (results.length > 0)
    print(
      terminal,
      'The largest tool results (estimated)',
      table(columns, results.slice(0, listedMax), terminal),
    );
}

const reasons: Readonly<Record<string, string>> = {
  compaction: 'a compaction',
  cleared: 'a cleared context',
  branch: 'another branch',
  model: 'another model',
  tools: 'other tools or system prompt',
  idle1h: 'more than an hour of pause',
  idle5min: 'more than 5 minutes of pause',
  unknown: 'not known',
};

function printMisses({ cacheMisses }: ContextWindow, terminal: Terminal, timeZone?: string): void {
  const { count, missedTokens, costNanoUsd, unpriced, byReason, worst } = cacheMisses;
  if (count === 0) return;
  const cost =
    unpriced === count
      ? 'at a price that is not known'
      : `for ${amountText(costNanoUsd)} more than from the cache`;
  const why = byReason.map((sum) =>
    `${formatCount(sum.count)} after ${reasons[sum.reason] ?? sum.reason}`.replace(
      'after not known',
      'without a known reason',
    ),
  );
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
      title: 'sent anew',
      align: 'right',
      dropOrder: 0,
      cell: (miss) => formatCount(miss.missedTokens),
    },
    { title: 'cost', align: 'right', dropOrder: 0, cell: (miss) => amountText(miss.costNanoUsd) },
    { title: 'why', align: 'left', dropOrder: 0, cell: ({ reason }) => reasons[reason] ?? reason },
  ];
  const title = `${countOf(count, 'cache miss', 'cache misses')}: ${countOf(missedTokens, 'token')} sent anew ${cost} (${why.join(', ')})`;
  print(terminal, title, table(columns, worst.slice(0, listedMax), terminal));
}

function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { columns: width, colour }: Terminal,
): Line[] {
  return renderTable(columns, rows, null, { width, colour });
}

function print(terminal: Terminal, title: string, lines: readonly Line[]): void {
  if (lines.length === 0) return;
  terminal.print('');
  if (title !== '') terminal.print(title);
  for (const line of lines) terminal.print(line);
}
