/**
 * A reconciliation as text: a row for each session that differs, each reason once with its
 * explanation, and the verdict. Pure.
 */

import { dollarText, grouped, placesFor } from '@pi-ledger/contract/amounts';
import type { Line } from '../../../cli/line.ts';
import { table } from '../../../cli/output/answer.ts';
import type { Table } from '../../../cli/output/answer-parts.ts';
import { countOf } from '../../../cli/output/counts.ts';
import { shortIds } from '../../../cli/output/short-ids.ts';
import type { Column } from '../../../cli/output/table.ts';
import { totalIn } from '../../../reconcile/counted.ts';
import type { Difference } from '../../../reconcile/difference.ts';
import { type Figures, noFigures } from '../../../reconcile/figures.ts';
import { type ReasonCode, reasons } from '../../../reconcile/reasons.ts';
import type { ReconciledSession, Reconciliation } from '../../../reconcile/reconcile.ts';

export interface ReconciliationShown {
  /** Also the sessions that agree. */
  readonly all: boolean;
  /** The beginnings of ids, as on a terminal. */
  readonly isShort: boolean;
  /** A sentence with its commands as the user types them. */
  called(sentence: string): string;
}

/** The first faults of many; `--json` has all. */
const faultLinesMax = 20;
const problemLinesMax = 10;

export function reconciliationParts(
  result: Reconciliation,
  { all, isShort, called }: ReconciliationShown,
): readonly (Line | Table)[] {
  const { sessions, overall, problems } = result;
  const shown = all ? sessions : sessions.filter(({ differences }) => differences.length > 0);
  const differences = [...sessions.flatMap((session) => session.differences), ...overall];
  const idOf = isShort
    ? shortIds(shown.map(({ sessionId }) => sessionId))
    : (sessionId: string) => sessionId;
  return [
    ...(shown.length === 0 ? [] : [table({ columns: columnsOf(shown, idOf), rows: shown }), '']),
    ...faultLines(result),
    ...problems
      .slice(0, problemLinesMax)
      .map(({ path, line, message }) => `${path}${line === null ? '' : `:${line}`}: ${message}`),
    ...(problems.length > problemLinesMax
      ? [`... and ${grouped(problems.length - problemLinesMax)} more lines or files (--json).`]
      : []),
    ...reasonLines(differences).map(called),
    { text: verdict(result, differences), style: 'bold' },
  ];
}

function columnsOf(
  sessions: readonly ReconciledSession[],
  idOf: (sessionId: string) => string,
): readonly Column<ReconciledSession>[] {
  const amounts = sessions.flatMap(({ inFiles, inLog }) => [
    figuresOf(inFiles)?.nanoUsd ?? 0n,
    figuresOf(inLog)?.nanoUsd ?? 0n,
  ]);
  const decimals = placesFor(
    amounts.toSorted((left, right) => (left < right ? -1 : 1)).at(-1) ?? 0n,
  );
  const pair = (
    title: string,
    dropOrder: number,
    say: (figures: Figures) => string,
  ): Column<ReconciledSession> => ({
    title,
    align: 'right',
    dropOrder,
    cell: ({ inFiles, inLog, inViews }) =>
      pairText([figuresOf(inFiles), figuresOf(inLog), inViews], say),
  });
  return [
    { title: 'session', align: 'left', dropOrder: 0, cell: ({ sessionId }) => idOf(sessionId) },
    pair('records', 1, ({ records }) => grouped(records)),
    pair('tokens', 2, (figures) => grouped(tokensOf(figures))),
    pair('cost', 3, ({ nanoUsd }) => dollarText(nanoUsd, decimals)),
    {
      title: 'differences',
      align: 'left',
      dropOrder: 0,
      cell: ({ differences }) => differencesText(differences),
    },
  ];
}

/**
 * One figure if all sides agree, otherwise files / log / views; a dash for a side without the
 * session.
 */
function pairText(sides: readonly (Figures | null)[], say: (figures: Figures) => string): string {
  const texts = sides.map((figures) => (figures === null ? '-' : say(figures)));
  return new Set(texts).size === 1 ? (texts[0] ?? '') : texts.join(' / ');
}

function differencesText(differences: readonly Difference[]): string {
  const counts = new Map<ReasonCode, number>();
  for (const { reason, count } of differences)
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts]
    .map(([reason, count]) => (count === 1 ? reason : `${reason} x${grouped(count)}`))
    .join(', ');
}

function faultLines({ sessions, overall }: Reconciliation): readonly string[] {
  const faults = [
    ...overall.map((found) => ({ sessionId: '', found })),
    ...sessions.flatMap(ofSession),
  ].filter(({ found }) => !found.explained);
  const lines = faults
    .slice(0, faultLinesMax)
    .map(({ sessionId, found }) => faultLine(sessionId, found));
  const more = faults.length - lines.length;
  return [
    ...lines,
    ...(more > 0 ? [`... and ${grouped(more)} more (--json).`] : []),
    ...(lines.length > 0 ? [''] : []),
  ];
}

function ofSession({ sessionId, differences }: ReconciledSession) {
  return differences.map((found) => ({ sessionId, found }));
}

function faultLine(sessionId: string, found: Difference): string {
  const { reason, kind, entryId, at, file, position, eventId } = found;
  const { inFiles, inLog, inViews, otherSessionId } = found;
  const what = [kind, entryId === undefined ? undefined : `entry ${entryId}`, at].filter(
    (part) => part !== undefined,
  );
  const said = [
    inFiles === undefined ? undefined : `files: ${inFiles}`,
    inLog === undefined ? undefined : `log: ${inLog}`,
    inViews === undefined ? undefined : `views: ${inViews}`,
    otherSessionId === undefined ? undefined : `log: session ${otherSessionId}`,
    file === undefined ? undefined : `file ${file}`,
    position === undefined ? undefined : `log position ${position}`,
    eventId === undefined ? undefined : `event ${eventId}`,
  ].filter((part) => part !== undefined);
  return [`${reason}:`, sessionId, what.join(' '), said.join('; ')]
    .filter((part) => part !== '')
    .join(' ');
}

function reasonLines(differences: readonly Difference[]): readonly string[] {
  const codes = Object.keys(reasons) as ReasonCode[];
  const found = codes.filter((code) => differences.some(({ reason }) => reason === code));
  return found.map(
    (code) => `${code}${reasons[code].explained ? '' : ' (fault)'}: ${reasons[code].sentence}`,
  );
}

function verdict(
  { isExplained, sessions, totals, read }: Reconciliation,
  differences: readonly Difference[],
): string {
  const { records, nanoUsd } = totals.inLog;
  const inAll = [
    countOf(sessions.length, 'session'),
    countOf(read.files, 'file'),
    countOf(Number(records), 'record'),
    `${dollarText(nanoUsd, placesFor(nanoUsd))} in the log`,
  ].join(', ');
  const verdict = isExplained ? `Explained: ${inAll}.` : `NOT explained: ${inAll}.`;
  return [verdict, ...unknownText(differences)].join(' ');
}

/** What no comparison can tell. */
function unknownText(differences: readonly Difference[]): readonly string[] {
  const countWith = (code: ReasonCode) =>
    differences.filter(({ reason }) => reason === code).reduce((sum, { count }) => sum + count, 0);
  const requests = countWith('package_requests');
  const answers = countWith('session_not_saved');
  const unknown = [
    ...(requests > 0 ? [`${countOf(requests, 'request')} by packages`] : []),
    ...(answers > 0 ? [`${countOf(answers, 'answer')} in event streams alone`] : []),
  ];
  return unknown.length === 0 ? [] : [`Not known: what ${unknown.join(' and ')} cost.`];
}

function tokensOf({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
}: Figures): bigint {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

function figuresOf(byKind: ReadonlyMap<string, Figures> | null): Figures | null {
  return byKind === null ? null : byKind.size === 0 ? noFigures() : totalIn(byKind);
}
