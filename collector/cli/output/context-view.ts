/** A session's context as text: what filled the window, its compactions and its cache misses. */
import type { ContextPoint, ContextWindow } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import { amountText } from './compaction-row.ts';
import { printRows } from './compactions-table.ts';
import { drawComposition } from './composition-bar.ts';
import { drawContext } from './context-chart.ts';
import { printLargest, printMisses } from './context-lists.ts';
import { formatCount, formatTime } from './format.ts';
import { countOf } from './usage-table.ts';

type Now = NonNullable<ContextWindow['now']>;

/** If the output is not a terminal. */
const widthDefault = 100;
const widthMax = 160;
const listedMax = 10;

interface Shown {
  readonly timeZone?: string | undefined;
  readonly isAsked?: boolean;
}

/** `isAsked`: the composition is that of a chosen entry, not the newest. */
export function printContext(
  answer: ContextWindow,
  terminal: Terminal,
  { timeZone, isAsked = false }: Shown = {},
): void {
  const width = Math.min(terminal.columns ?? widthDefault, widthMax);
  terminal.print(headline(answer, timeZone));
  if (answer.points.length === 0) {
    terminal.print('This session has no answers yet.');
    return;
  }
  for (const line of [nowLine(answer.now), cacheLine(answer.points), forecastLine(answer)])
    if (line !== null) terminal.print(line);
  print(terminal, '', drawContext(answer.points, width));
  const { composition } = answer;
  const { at, totalTokens, source } = composition;
  const what = isAsked ? `What filled it at ${at}` : 'What fills it';
  const title = `${what}: ${countOf(totalTokens, 'token')} (${sources[source]}), parts estimated`;
  print(terminal, title, drawComposition(composition.parts, composition.totalTokens, width));
  printCompactions(answer, terminal, timeZone);
  printLargest(answer.largestResults, terminal, timeZone);
  printMisses(answer, terminal, timeZone);
  if (answer.factsLeftOut > 0) {
    terminal.print('');
    terminal.print(`${countOf(answer.factsLeftOut, 'entry', 'entries')} left out: over the limit.`);
  }
}

function headline(
  { session, project, host, startedAt, lastSeenAt, turns }: ContextWindow,
  timeZone?: string,
): string {
  const when = `${formatTime(startedAt, timeZone)} to ${formatTime(lastSeenAt, timeZone)}`;
  const what = [project ?? '(unknown project)', host ?? '(unknown host)', when];
  return `Session ${session}: ${what.join(', ')}, ${countOf(turns, 'turn')}`;
}

const sources = {
  provider: 'measured by the provider',
  estimate: 'estimated',
  unknown: 'unknown',
} as const;

function nowLine(now: Now | null): string | null {
  return now === null ? null : `${sentText(now)}; ${thresholdText(now)}.`;
}

function sentText({ kind, tokens, source, model }: Now): string {
  if (tokens === null) return 'No answer since the context was last compacted or cleared';
  if (kind === 'branchSummary')
    return `${countOf(tokens, 'token')} in the window after a branch summary (${sources[source]})`;
  if (kind === 'compaction')
    return `${countOf(tokens, 'token')} right after a compaction (estimated by the host)`;
  const whom = model === '' ? '' : ` to ${model}`;
  return `${countOf(tokens, 'token')} in the last request${whom} (${sources[source]})`;
}

/** About the last answer with measured tokens. */
function cacheLine(points: readonly ContextPoint[]): string | null {
  const last = points.findLast(({ cacheReadTokens }) => cacheReadTokens !== null);
  if (last === undefined || !last.tokens) return null;
  const [read, written] = [last.cacheReadTokens ?? 0, last.cacheWriteTokens ?? 0];
  const share = (tokens: number) => `${Math.round((tokens / (last.tokens ?? 1)) * 100)} %`;
  const rest = share(last.tokens - read - written);
  return (
    `Of the last measured request, ${share(read)} came from the cache, ` +
    `${share(written)} was written to it, and ${rest} was neither.`
  );
}

const settings = {
  host: "by the host's settings",
  files: 'by its settings files',
  default: 'by its defaults',
} as const;

function thresholdText({ threshold, untilThresholdTokens }: Now): string {
  if (threshold === null) return 'the size of the window is unknown: no live host reported it';
  const { windowTokens, thresholdTokens, source } = threshold;
  const window = `the window holds ${formatCount(windowTokens)}`;
  if (thresholdTokens === null)
    return `${window}, and the host never compacts by itself (${settings[source]})`;
  const left = untilThresholdTokens === null ? '' : `: ${leftText(untilThresholdTokens)}`;
  const limit = `above ${formatCount(thresholdTokens)} (${settings[source]})`;
  return `${window}, and the host compacts ${limit}${left}`;
}

function leftText(tokens: number): string {
  return tokens >= 0 ? `${formatCount(tokens)} left` : `${formatCount(-tokens)} over it`;
}

function forecastLine({ forecast: { growthTokens, turnsLeft } }: ContextWindow): string | null {
  if (growthTokens === null) return null;
  const growth = `Lately it grew by ${formatCount(Math.round(growthTokens))} per turn`;
  if (growthTokens <= 0) return `${growth.replace(' grew by', ' changed by')}.`;
  if (turnsLeft === null) return `${growth}.`;
  return turnsLeft === 0
    ? `${growth}: the next turn will trigger a compaction.`
    : `${growth}: about ${countOf(turnsLeft, 'turn')} until the next compaction.`;
}

function printCompactions(
  { compactions, compactionTotals: total }: ContextWindow,
  terminal: Terminal,
  timeZone?: string,
): void {
  if (compactions.length === 0) return;
  const made = total.compactions + total.branchSummaries;
  const cost =
    total.unreportedCosts === made ? 'cost unknown' : `cost ${amountText(total.costNanoUsd)}`;
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
    terminal.print(`The newest ${listedMax}; \`compactions --session\` lists all.`);
}

function print(terminal: Terminal, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  terminal.print('');
  if (title !== '') terminal.print(title);
  for (const line of lines) terminal.print(line);
}
