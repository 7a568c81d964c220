/** Sessions as a table, one line each or as trees. */

import { grouped } from '@pi-ledger/contract/amounts';
import type { Session, SessionCopy, UsageFigures } from '@pi-ledger/contract/answers';
import { sessionTable } from '@pi-ledger/contract/columns/sessions';
import type { Terminal } from '../../../cli/command.ts';
import { printAnswer, table } from '../../../cli/output/answer.ts';
import { tableColumns } from '../../../cli/output/answer-columns.ts';
import type { Answer, Note } from '../../../cli/output/answer-parts.ts';
import { countOf } from '../../../cli/output/counts.ts';
import { shortIds } from '../../../cli/output/short-ids.ts';
import type { Column } from '../../../cli/output/table.ts';
import { usageNotes } from '../../spend/print.ts';
import { sumFigures } from '../../spend/sum-figures.ts';
import { drawTree, type SessionTree } from './tree.ts';

/** `session` is null in the line of a whole tree, which has nothing of a session but figures. */
type Line = Session & { readonly label: string; readonly session: Session | null };

function lineOf(label: string, session: Session | null, figures: UsageFigures): Line {
  return { ...session, ...sumFigures([figures]), label, session } as Line;
}

export interface SessionsShown extends Pick<Answer, 'first' | 'importing' | 'wide' | 'timeZone'> {
  /** Said if there are no rows. */
  readonly empty: string;
  /** What is wrong with the figures, and what is not listed. */
  readonly notes: readonly Note[];
}

export function printSessions(
  rows: readonly Session[],
  terminal: Terminal,
  shown: SessionsShown,
): void {
  const nameOf = namingOf(rows, terminal, shown);
  const lines = rows.map((row) => lineOf(nameOf(row.id), row, row));
  printLines(lines, rows, { ...shown, nameOf }, terminal);
}

export function printTrees(
  trees: readonly SessionTree<Session>[],
  terminal: Terminal,
  shown: SessionsShown,
): void {
  const sessions = trees.flatMap((tree) => tree.sessions);
  const nameOf = namingOf(sessions, terminal, shown);
  const lines = trees.flatMap((tree) => drawTree(tree, nameOf));
  printLines(
    lines.map(({ label, session, figures }) => lineOf(label, session, figures)),
    sessions,
    { ...shown, nameOf },
    terminal,
  );
}

/** Short ids on a terminal, whole ones elsewhere. Ids of copies and unlisted roots differ, too. */
function namingOf(
  sessions: readonly Session[],
  { columns }: Terminal,
  { wide = false }: SessionsShown,
): (id: string) => string {
  if (columns === null || wide) return (id) => id;
  return shortIds(
    sessions.flatMap(({ id, rootSessionId, copies }) => [
      id,
      rootSessionId,
      ...copies.map(({ session }) => session),
    ]),
  );
}

interface Wording extends SessionsShown {
  nameOf(id: string): string;
}

function printLines(
  lines: readonly Line[],
  sessions: readonly Session[],
  { nameOf, notes, empty, ...shown }: Wording,
  terminal: Terminal,
): void {
  const isEmpty = lines.length === 0;
  const isGrowing = shown.importing !== undefined && shown.importing !== null;
  printAnswer(terminal, {
    ...shown,
    body: isEmpty ? [empty] : [table({ columns: columnsOf(lines, isGrowing), rows: lines })],
    notes: isEmpty
      ? notes
      : [
          ...notes,
          ...usageNotes(sumFigures(sessions)),
          ...inferredNotes(sessions),
          ...copyNotes(sessions, nameOf),
        ],
  });
}

function columnsOf(lines: readonly Line[], isGrowing: boolean): readonly Column<Line>[] {
  const hasTrees = lines.some(
    ({ session }) => session !== null && session.parentSessionId !== null,
  );
  const cells = {
    session: ({ label }: Line) => label,
    relation: ({ session }: Line) => (session === null ? '' : relationOf(session)),
    project: ({ session, project }: Line) => (session === null ? '' : (project ?? '(unknown)')),
  };
  const without = hasTrees ? [] : ['relation' as const];
  const total = largestAmounts(lines);
  return tableColumns(sessionTable, { rows: lines, total, cells, without, isGrowing });
}

function relationOf({ parentSessionId, relation, agentName }: Session): string {
  if (relation === 'subagent' && agentName !== null) return `subagent ${agentName}`;
  return relation ?? (parentSessionId === null ? '' : 'child');
}

function inferredNotes(sessions: readonly Session[]): Note[] {
  const inferred = sessions.filter(({ attribution }) => attribution === 'inferred').length;
  if (inferred === 0) return [];
  const have = inferred === 1 ? 'it has none of its own' : 'they have none of their own';
  return [
    {
      mark: '~',
      text:
        `project, user and host of ${countOf(inferred, 'session')} are inferred from other ` +
        `files: ${have}`,
    },
  ];
}

/** Other sessions that contain copies of these entries, in one sentence. */
function copyNotes(sessions: readonly Session[], nameOf: (id: string) => string): Note[] {
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
): Note {
  const owner = nameOf(of);
  const assumed = ownerAssumed ? ' (assumed: the file of an ancestor is gone)' : '';
  return {
    text:
      `${countOf(entries, 'entry', 'entries')} of ${owner} (${grouped(spendEntries)} with ` +
      `spend) also ${entries === 1 ? 'appears' : 'appear'} in ${nameOf(session)}; ` +
      `counted once, in ${owner}${assumed}`,
  };
}

function copiesNote(copies: readonly SessionCopy[]): Note {
  const sum = (field: 'entries' | 'spendEntries') =>
    copies.reduce((all, copy) => all + copy[field], 0);
  const places = new Set(copies.map(({ session }) => session)).size;
  const assumed = copies.filter(({ ownerAssumed }) => ownerAssumed).length;
  const isAssumed =
    assumed === 0
      ? ''
      : ` (the owner of ${countOf(assumed, 'copy', 'copies')} is assumed: ` +
        'the file of an ancestor is gone)';
  return {
    text:
      `${countOf(sum('entries'), 'entry', 'entries')} (${grouped(sum('spendEntries'))} with ` +
      `spend) also appear in ${countOf(places, 'other session')}; each counts once, in the ` +
      `session that made it${isAssumed}`,
    next: '--json',
  };
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
