/**
 * Everything known about one compaction, as text: what it dropped and kept, what was read again,
 * and whether it paid off.
 */

import { grouped } from '@pi-ledger/contract/amounts';
import type {
  CompactionContent,
  CompactionDetails,
  CompactionShare,
} from '@pi-ledger/contract/answers';
import type { Terminal } from '../../../cli/command.ts';
import { amountText, durationText } from '../../../cli/output/compaction-row.ts';
import { countOf } from '../../../cli/output/counts.ts';
import { type Writing, writingOn } from '../../../cli/output/writing.ts';
import { drawComposition } from '../../context/print/composition-bar.ts';

const barWidthMax = 60;
const nameWidth = 14;

export function printCompaction(
  row: CompactionDetails,
  terminal: Terminal,
  timeZone?: string,
): void {
  terminal.print(`${titleOf(row)} ${row.id}`);
  for (const [name, text] of fieldsOf(row, writingOn(terminal, timeZone)))
    terminal.print(`  ${name.padEnd(nameWidth)}${text}`);
  const width = Math.min(terminal.columns ?? barWidthMax, barWidthMax);
  printShare('Dropped', row.dropped, width, terminal);
  printShare('Kept', row.kept, width, terminal);
  printPaths('The summary lists as read', row.filesRead, row.filesReadCount, terminal);
  printPaths('The summary lists as modified', row.filesModified, row.filesModifiedCount, terminal);
  printRegret(row, terminal);
  for (const line of netLines(row)) terminal.print(line);
  printContent('Instructions', row.instructions, terminal);
  printContent('Summary', row.summary, terminal);
}

function titleOf({ kind, aborted }: CompactionDetails): string {
  if (kind === 'failure') return aborted ? 'Aborted compaction' : 'Failed compaction';
  return kind === 'compaction' ? 'Compaction' : 'Branch summary';
}

function fieldsOf(
  row: CompactionDetails,
  writing: Writing,
): (readonly [name: string, text: string])[] {
  const { session, entryId, project, host, user, time, provider, model, durationMs } = row;
  const whose = [project ?? '(unknown project)', host, user]
    .filter((each) => each !== null && each !== '')
    .join(', ');
  return [
    ['session', `${session} (${whose})`],
    ...(entryId === null ? [] : [['entry', entryId] as const]),
    ['when', whenText(writing.time(time), durationMs)],
    ['trigger', triggerText(row)],
    ...(row.kind === 'failure'
      ? []
      : ([
          ['made by', makerText(row.by, row.method, provider, model)],
          ['tokens', tokensText(row)],
          ['cost', costText(row)],
          ['billing', billingText(row)],
        ] as const)),
    ...(row.instructionsChars
      ? [['instructions', countOf(row.instructionsChars, 'character')] as const]
      : []),
    ...(row.willRetry === null
      ? []
      : [['then', row.willRetry ? 'the host retried the failed request' : 'no retry'] as const]),
  ];
}

function whenText(time: string, durationMs: number | null): string {
  return durationMs === null ? time : `${time}, took ${durationText(durationMs)}`;
}

function triggerText({ trigger, kind, durationMs, instructionsChars }: CompactionDetails): string {
  if (trigger !== null) return trigger;
  if (kind === 'branchSummary') return 'moving to another branch';
  const isLive = kind === 'failure' || durationMs !== null || instructionsChars !== null;
  return isLive ? 'not reported by the host' : 'unknown: an imported session does not record it';
}

function makerText(
  by: string | null,
  method: string | null,
  provider: string | null,
  model: string | null,
): string {
  const maker = by === 'extension' ? 'an extension' : 'the host';
  return [
    maker,
    ...(method === null ? [] : [`method ${method}`]),
    ...(model === null ? [] : [`by ${provider ?? ''}/${model}`]),
  ].join(', ');
}

function tokensText({
  tokensBefore,
  tokensAfterMeasured,
  tokensAfterEstimated,
  savedTokens,
  summaryTokens,
}: CompactionDetails): string {
  const parts = [
    tokensBefore === null ? 'before: unknown' : `${grouped(tokensBefore)} before`,
    tokensAfterMeasured === null
      ? 'no answer since'
      : `${grouped(tokensAfterMeasured)} sent for the next answer`,
    ...(tokensAfterEstimated === null
      ? []
      : [`${grouped(tokensAfterEstimated)} by the host's estimate`]),
    ...(savedTokens === null ? [] : [`${grouped(savedTokens)} saved`]),
    ...(summaryTokens === null ? [] : [`the summary is about ${grouped(summaryTokens)}`]),
  ];
  return parts.join(', ');
}

function costText({ costNanoUsd, costSource }: CompactionDetails): string {
  if (costNanoUsd !== null) return `${amountText(costNanoUsd)} for the summary`;
  return costSource === 'host'
    ? 'n/a: the price of its tokens is unknown (not $0)'
    : 'n/a: not reported by the host (not $0)';
}

function billingText({ billing }: CompactionDetails): string {
  return billing === 'subscription'
    ? 'subscription: at list price, not billed'
    : (billing ?? 'unknown');
}

function printShare(
  title: string,
  share: CompactionShare | null,
  width: number,
  terminal: Terminal,
): void {
  if (share === null) return;
  terminal.print('');
  terminal.print(
    `${title}: ${countOf(share.messages, 'message')}, about ${countOf(share.tokens, 'token')}`,
  );
  for (const line of drawComposition(share.parts, share.tokens, width)) terminal.print(`  ${line}`);
}

function printPaths(
  title: string,
  paths: readonly string[] | null,
  count: number | null,
  terminal: Terminal,
): void {
  if (paths === null || count === null || count === 0) return;
  terminal.print('');
  terminal.print(`${title}: ${countOf(count, 'file')}`);
  for (const path of paths) terminal.print(`  ${path}`);
  if (count > paths.length) terminal.print(`  and ${grouped(count - paths.length)} more`);
}

function printRegret(
  { kind, turnsAfter, regretReads, regretTokens, regretPaths }: CompactionDetails,
  terminal: Terminal,
): void {
  if (kind !== 'compaction' || regretReads === null || turnsAfter === 0) return;
  if (regretReads === 0) {
    terminal.print('');
    terminal.print('Read again within 10 turns: nothing');
    return;
  }
  terminal.print('');
  terminal.print(
    `Read again within 10 turns: ${countOf(regretReads, 'file read')}, ` +
      `about ${countOf(regretTokens ?? 0, 'token')}`,
  );
  for (const path of regretPaths ?? []) terminal.print(`  ${path}`);
}

const leftOut: Readonly<Record<string, string>> = {
  summary: 'the summary',
  cacheMiss: 'the cache miss',
  rereads: 'what was read again',
};

/** The terms of the formula, one line each. */
function netLines({
  kind,
  net,
  savedTokens,
  turnsAfter,
  costNanoUsd,
  cacheMiss,
}: CompactionDetails): string[] {
  if (kind !== 'compaction') return [];
  if (net === null) return ['', 'Did it pay off? Unknown: no answer has followed yet.'];
  const term = (sign: string, nanoUsd: string | null, what: string) =>
    `  ${sign} ${amountText(nanoUsd).padStart(12)}  ${what}`;
  const turns = countOf(turnsAfter ?? 0, 'turn');
  return [
    '',
    'Did it pay off?',
    term(
      ' ',
      net.savedNanoUsd,
      `${grouped(savedTokens ?? 0)} not sent in each of ${turns}: ` +
        `${countOf(net.savedTokens, 'token')} in all`,
    ),
    term('-', costNanoUsd, 'the summary'),
    term(
      '-',
      cacheMiss === null ? '0' : cacheMiss.costNanoUsd,
      `cache miss of the next answer (${countOf(cacheMiss?.missedTokens ?? 0, 'token')})`,
    ),
    term('-', net.rereadNanoUsd, 'what was read again'),
    term(
      net.leavesOut.length === 0 ? '=' : '≤',
      net.netNanoUsd,
      net.leavesOut.length === 0
        ? 'net'
        : 'at most: net, without ' +
            net.leavesOut.map((name) => leftOut[name] ?? name).join(', ') +
            ' (cost unknown)',
    ),
  ];
}

function printContent(title: string, content: CompactionContent | null, terminal: Terminal): void {
  if (content === null) return;
  const { text, truncated, redactions } = content;
  const notes = [
    ...(redactions > 0 ? [`${countOf(redactions, 'passage')} redacted`] : []),
    ...(truncated ? ['cut'] : []),
  ];
  terminal.print('');
  terminal.print(`${title}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`);
  for (const line of text.split('\n')) terminal.print(`  ${printable(line)}`.trimEnd());
}

/** A model wrote the text: its control characters must not reach the terminal. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\t' ? '  ' : ''));
}
