/** A session's context as text: what filled the window, its compactions and its cache misses. */

import { grouped } from '@pi-ledger/contract/amounts';
import type { ContextPoint, ContextWindow } from '@pi-ledger/contract/answers';
import type { Terminal } from '../../../cli/command.ts';
import { printAnswer } from '../../../cli/output/answer.ts';
import type { Answer, Note, Part } from '../../../cli/output/answer-parts.ts';
import { countOf } from '../../../cli/output/counts.ts';
import { wrap } from '../../../cli/output/wrap.ts';
import { type Writing, writingOf } from '../../../cli/output/writing.ts';
import { ownLine } from '../../../cli/own-line.ts';
import { compactionRows } from '../../compactions/print/table.ts';
import { costsOf } from '../../compactions/print/totals.ts';
import { drawContext } from './chart.ts';
import { drawComposition } from './composition-bar.ts';
import { largestParts, missParts } from './lists.ts';

type Now = NonNullable<ContextWindow['now']>;

/** If the output is not a terminal. */
const widthDefault = 100;
const widthMax = 160;
const listedMax = 10;

interface Shown extends Pick<Answer, 'timeZone' | 'wide'> {
  /** The composition is that of a chosen entry, not the newest. */
  readonly isAsked?: boolean;
  /** Why figures may be wrong. */
  readonly warnings?: readonly Note[];
}

export function printContext(
  answer: ContextWindow,
  terminal: Terminal,
  { isAsked = false, warnings = [], ...shown }: Shown = {},
): void {
  const width = shown.wide ? null : terminal.columns;
  const [first, ...more] = wrap(headline(answer, writingOn(terminal, shown)), width);
  const body =
    answer.points.length === 0
      ? ['This session has no answers yet.']
      : bodyOf(answer, terminal, isAsked);
  printAnswer(terminal, {
    ...shown,
    first: first ?? null,
    body: [...more, ...body.flatMap((part) => wrapped(part, width))],
    notes: [...warnings, ...leftOutNotes(answer)],
  });
}

/** Prose, and what stands under a chart; its indent is kept. */
function wrapped(part: Part, width: number | null): readonly Part[] {
  if (typeof part !== 'string' || width === null || part.length <= width) return [part];
  const [indent = ''] = /^ */.exec(part) ?? [];
  return wrap(part.trimStart(), width - indent.length).map((text) => indent + text);
}

/** Outside of tables, figures are in full, and times are short on a terminal without `wide`. */
function writingOn(
  { columns, now }: Terminal,
  { wide, timeZone }: Pick<Answer, 'timeZone' | 'wide'>,
): Writing {
  const isFull = columns === null || wide === true;
  return writingOf({ isShort: false, now: isFull ? null : now(), timeZone });
}

function bodyOf(answer: ContextWindow, terminal: Terminal, isAsked: boolean): Answer['body'] {
  const { composition, now, points } = answer;
  const width = Math.min(terminal.columns ?? widthDefault, widthMax);
  const { at, totalTokens, source } = composition;
  const what = isAsked ? `What filled it at ${at}` : 'What fills it';
  const title = `${what}: ${countOf(totalTokens, 'token')} (${sources[source]}), parts estimated`;
  const parts = drawComposition(composition.parts, composition.totalTokens, width);
  return [
    ...[nowLine(now), cacheLine(points), forecastLine(answer)].filter((line) => line !== null),
    ...section(drawContext(points, width)),
    ...(parts.length === 0 ? [] : section([title, ...parts])),
    ...section(compactionParts(answer, terminal)),
    ...section(largestParts(answer.largestResults)),
    ...section(missParts(answer)),
  ];
}

/** An empty line before it, unless it is empty itself. */
function section(parts: Answer['body']): Answer['body'] {
  return parts.length === 0 ? [] : ['', ...parts];
}

function leftOutNotes({ factsLeftOut }: ContextWindow): readonly Note[] {
  return factsLeftOut === 0
    ? []
    : [
        {
          is: 'warning',
          text: `${countOf(factsLeftOut, 'entry', 'entries')} left out: over the limit`,
        },
      ];
}

function headline(
  { session, project, host, startedAt, lastSeenAt, turns }: ContextWindow,
  { time, idsOf }: Writing,
): string {
  const when = `${time(startedAt)} to ${time(lastSeenAt)}`;
  const what = [project ?? '(unknown project)', host ?? '(unknown host)', when];
  return `Session ${idsOf([session])(session)}: ${what.join(', ')}, ${countOf(turns, 'turn')}`;
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
  const window = `the window holds ${grouped(windowTokens)}`;
  if (thresholdTokens === null)
    return `${window}, and the host never compacts by itself (${settings[source]})`;
  const left = untilThresholdTokens === null ? '' : `: ${leftText(untilThresholdTokens)}`;
  const limit = `above ${grouped(thresholdTokens)} (${settings[source]})`;
  return `${window}, and the host compacts ${limit}${left}`;
}

function leftText(tokens: number): string {
  return tokens >= 0 ? `${grouped(tokens)} left` : `${grouped(-tokens)} over it`;
}

function forecastLine({ forecast: { growthTokens, turnsLeft } }: ContextWindow): string | null {
  if (growthTokens === null) return null;
  const growth = `Lately it grew by ${grouped(Math.round(growthTokens))} per turn`;
  if (growthTokens <= 0) return `${growth.replace(' grew by', ' changed by')}.`;
  if (turnsLeft === null) return `${growth}.`;
  return turnsLeft === 0
    ? `${growth}: the next turn will trigger a compaction.`
    : `${growth}: about ${countOf(turnsLeft, 'turn')} until the next compaction.`;
}

function compactionParts(
  { session, compactions, compactionTotals: total }: ContextWindow,
  terminal: Terminal,
): Answer['body'] {
  if (compactions.length === 0) return [];
  const made = total.compactions + total.branchSummaries;
  const again =
    total.regretReads === 0
      ? 'nothing read again'
      : `files read again ${countOf(total.regretReads, 'time')}`;
  const parts = [
    ...(total.compactions > 0 ? [countOf(total.compactions, 'compaction')] : []),
    ...(total.branchSummaries > 0
      ? [countOf(total.branchSummaries, 'branch summary', 'branch summaries')]
      : []),
    ...(total.failures > 0 ? [`${grouped(total.failures)} failed`] : []),
  ];
  const list = ownLine(terminal, `compactions --session ${session}`);
  return [
    `${parts.join(', ')}${made === 0 ? '' : `: ${costsOf(total)}, ${again}`}`,
    compactionRows(compactions.slice(-listedMax), {
      isOneSession: true,
      hasShortIds: terminal.columns !== null,
    }),
    ...(compactions.length > listedMax ? [`The newest ${listedMax}; \`${list}\` lists all.`] : []),
  ];
}
