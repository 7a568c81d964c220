/** Sessions as a table, one line each or as trees. */
import type { Session, SessionCopy, UsageFigures } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import { formatCount, formatTime } from './format.ts';
import { drawTree, type SessionTree } from './session-tree.ts';
import { shortIds } from './short-ids.ts';
import { type Column, printTable } from './table.ts';
import { sumFigures } from './usage-sum.ts';
import { countOf, nothingRecorded, usageColumns, usageFootnotes } from './usage-table.ts';

/** `session` is null in the line of a whole tree. */
interface Line extends UsageFigures {
  readonly label: string;
  readonly session: Session | null;
}

export function printSessions(
  rows: readonly Session[],
  terminal: Terminal,
  timeZone?: string,
): void {
  const nameOf = namingOf(rows, terminal);
  const lines = rows.map((row) => ({ ...figuresOf(row), label: nameOf(row.id), session: row }));
  printLines(lines, rows, { nameOf, timeZone }, terminal);
}

export function printTrees(
  trees: readonly SessionTree<Session>[],
  terminal: Terminal,
  timeZone?: string,
): void {
  const sessions = trees.flatMap((tree) => tree.sessions);
  const nameOf = namingOf(sessions, terminal);
  const lines = trees.flatMap((tree) => drawTree(tree, nameOf));
  printLines(
    lines.map(({ label, session, figures }) => ({ ...figuresOf(figures), label, session })),
    sessions,
    { nameOf, timeZone },
    terminal,
  );
}

/** Short ids on a terminal, whole ones elsewhere. Ids of copies and unlisted roots differ, too. */
function namingOf(sessions: readonly Session[], { columns }: Terminal): (id: string) => string {
  if (columns === null) return (id) => id;
  return shortIds(
    sessions.flatMap(({ id, rootSessionId, copies }) => [
      id,
      rootSessionId,
      ...copies.map(({ session }) => session),
    ]),
  );
}

interface Wording {
  nameOf(id: string): string;
  /** Undefined: the reader's own. */
  readonly timeZone: string | undefined;
}

function printLines(
  lines: readonly Line[],
  sessions: readonly Session[],
  wording: Wording,
  terminal: Terminal,
): void {
  if (lines.length === 0) {
    terminal.print(nothingRecorded);
    return;
  }
  printTable(terminal, columnsOf(lines, wording), lines);
  for (const note of [
    ...usageFootnotes(sumFigures(sessions)),
    ...inferredNotes(sessions),
    ...copyNotes(sessions, wording.nameOf),
  ]) {
    terminal.print(note);
  }
}

const relationWidthMax = 24;
const projectWidthMax = 28;

function columnsOf(lines: readonly Line[], { timeZone }: Wording): Column<Line>[] {
  const text = (cell: (session: Session) => string | null) => (line: Line) =>
    line.session === null ? '' : (cell(line.session) ?? '');
  const hasTrees = lines.some(({ session }) => session !== null && session.relation !== null);
  const relation: Column<Line> = {
    title: 'is',
    align: 'left',
    dropOrder: 1,
    widthMax: relationWidthMax,
    cell: text(relationOf),
  };
  const project = text((session) => session.project ?? '(unknown)');
  return [
    { title: 'session', align: 'left', dropOrder: 0, cell: (line) => line.label },
    ...(hasTrees ? [relation] : []),
    {
      title: 'last seen',
      align: 'left',
      dropOrder: 3,
      cell: text((session) => formatTime(session.lastSeenAt, timeZone)),
    },
    { title: 'project', align: 'left', dropOrder: 0, widthMax: projectWidthMax, cell: project },
    { title: 'user', align: 'left', dropOrder: 8, cell: text((session) => session.user) },
    { title: 'host', align: 'left', dropOrder: 9, cell: text((session) => session.host) },
    {
      title: 'prompts',
      align: 'right',
      dropOrder: 10,
      cell: text((session) => formatCount(session.prompts)),
    },
    {
      title: 'turns',
      align: 'right',
      dropOrder: 11,
      cell: text((session) => formatCount(session.turns)),
    },
    ...usageColumns<Line>(largestAmounts(lines)),
  ];
}

function relationOf({ relation, agentName }: Session): string {
  return relation === 'subagent' && agentName !== null ? `subagent ${agentName}` : (relation ?? '');
}

function inferredNotes(sessions: readonly Session[]): string[] {
  const inferred = sessions.filter(({ attribution }) => attribution === 'inferred').length;
  const them = inferred === 1 ? 'its' : 'their';
  return inferred === 0
    ? []
    : [
        `Project, user and host of ${countOf(inferred, 'session')} are inferred from copies: ` +
          `${them} own files are gone.`,
      ];
}

/** Other sessions that contain copies of these entries, in one sentence. */
function copyNotes(sessions: readonly Session[], nameOf: (id: string) => string): string[] {
  const copies = sessions.flatMap(({ id, copies: own }) =>
    own.map((copy) => ({ ...copy, of: id })),
  );
  const [first, ...others] = copies;
  if (first === undefined) return [];
  return [others.length === 0 ? copyNote(first, nameOf) : copiesNote(copies)];
}

function copyNote(
  { of, session, entries, spendEntries, ownerAssumed }: SessionCopy & { of: string },
  nameOf: (id: string) => string,
): string {
  const owner = nameOf(of);
  const assumed = ownerAssumed ? ' (assumed: the file of an ancestor is gone)' : '';
  return (
    `${countOf(entries, 'entry', 'entries')} of ${owner} (${formatCount(spendEntries)} with ` +
    `spend) also ${entries === 1 ? 'appears' : 'appear'} in ${nameOf(session)}; ` +
    `counted once, in ${owner}${assumed}.`
  );
}

function copiesNote(copies: readonly SessionCopy[]): string {
  const sum = (field: 'entries' | 'spendEntries') =>
    copies.reduce((all, copy) => all + copy[field], 0);
  const places = new Set(copies.map(({ session }) => session)).size;
  const assumed = copies.filter(({ ownerAssumed }) => ownerAssumed).length;
  const isAssumed =
    assumed === 0
      ? ''
      : ` The owner of ${countOf(assumed, 'copy', 'copies')} is assumed: ` +
        'the file of an ancestor is gone.';
  return (
    `${countOf(sum('entries'), 'entry', 'entries')} (${formatCount(sum('spendEntries'))} with ` +
    `spend) also appear in ${countOf(places, 'other session')}; each counts once, in the ` +
    `session that made it. --json lists them.${isAssumed}`
  );
}

/** Which amounts occur and how large they are; only to choose columns and decimals. */
function largestAmounts(rows: readonly UsageFigures[]): UsageFigures {
  const largest = (field: 'meteredNanoUsd' | 'subscriptionNanoUsd' | 'unknownBillingNanoUsd') =>
    rows
      .reduce((most, row) => (BigInt(row[field]) > most ? BigInt(row[field]) : most), 0n)
      .toString();
  return {
    ...sumFigures([]),
    meteredNanoUsd: largest('meteredNanoUsd'),
    subscriptionNanoUsd: largest('subscriptionNanoUsd'),
    unknownBillingNanoUsd: largest('unknownBillingNanoUsd'),
  };
}

function figuresOf(row: UsageFigures): UsageFigures {
  return sumFigures([row]);
}
