/** Sessions as a table for people, one line each or as trees. */
import type { Terminal } from './command.ts';
import { formatCount, formatTime } from './format.ts';
import { drawTree, type SessionTree, type TreeSession } from './session-tree.ts';
import { type Column, renderTable } from './table.ts';
import { sumFigures } from './usage-sum.ts';
import { countOf, type UsageFigures, usageColumns, usageFootnotes } from './usage-table.ts';

/** A session as the API sends it, as far as the tables show it. */
export interface SessionRow extends TreeSession {
  readonly project: string | null;
  readonly user: string | null;
  readonly host: string | null;
  readonly agentName: string | null;
  readonly relation: 'fork' | 'subagent' | null;
  readonly lastSeenAt: string | null;
  readonly prompts: number;
  readonly turns: number;
  readonly copies: readonly Copy[];
}

interface Copy {
  readonly session: string;
  readonly entries: number;
  readonly spendEntries: number;
  readonly ownerAssumed: boolean;
}

/** `session` is null in a line that stands for a whole tree. */
interface Line extends UsageFigures {
  readonly label: string;
  readonly session: SessionRow | null;
}

/** Of more, only how many they are. */
const copyNotesMax = 10;

export function printSessions(rows: readonly SessionRow[], terminal: Terminal): void {
  printLines(
    rows.map((row) => ({ ...figuresOf(row), label: row.id, session: row })),
    rows,
    terminal,
  );
}

export function printTrees(trees: readonly SessionTree<SessionRow>[], terminal: Terminal): void {
  const lines = trees.flatMap(drawTree);
  printLines(
    lines.map(({ label, session, figures }) => ({ ...figuresOf(figures), label, session })),
    trees.flatMap(({ sessions }) => sessions),
    terminal,
  );
}

function printLines(lines: readonly Line[], sessions: readonly SessionRow[], terminal: Terminal): void {
  const text = (cell: (session: SessionRow) => string | null) => (line: Line) => (line.session === null ? '' : (cell(line.session) ?? ''));
  const hasTrees = sessions.some(({ relation }) => relation !== null);
  const columns: Column<Line>[] = [
    { title: 'session', align: 'left', dropOrder: 0, cell: (line) => line.label },
    ...(hasTrees ? [{ title: 'is', align: 'left' as const, dropOrder: 7, cell: text(relationOf) }] : []),
    { title: 'last seen', align: 'left', dropOrder: 3, cell: text((session) => formatTime(session.lastSeenAt)) },
    { title: 'project', align: 'left', dropOrder: 0, cell: text((session) => session.project ?? '(unknown)') },
    { title: 'user', align: 'left', dropOrder: 8, cell: text((session) => session.user) },
    { title: 'host', align: 'left', dropOrder: 9, cell: text((session) => session.host) },
    { title: 'prompts', align: 'right', dropOrder: 10, cell: text((session) => formatCount(session.prompts)) },
    { title: 'turns', align: 'right', dropOrder: 11, cell: text((session) => formatCount(session.turns)) },
    ...usageColumns<Line>(largestAmounts(lines)),
  ];
  for (const line of renderTable(columns, lines, null, { width: terminal.columns, colour: terminal.colour })) {
    terminal.print(line);
  }
  for (const note of [...usageFootnotes(sumFigures(sessions)), ...copyNotes(sessions)]) {
    terminal.print(note);
  }
}

function relationOf({ relation, agentName }: SessionRow): string {
  return relation === 'subagent' && agentName !== null ? `subagent ${agentName}` : (relation ?? '');
}

/** Where a session's entries stand too: told once for each copy, counted once in all. */
function copyNotes(sessions: readonly SessionRow[]): string[] {
  const notes = sessions.flatMap(({ id, copies }) => copies.map((copy) => copyNote(id, copy)));
  const left = notes.length - copyNotesMax;
  return left <= 0 ? notes : [...notes.slice(0, copyNotesMax), `${countOf(left, 'more copy', 'more copies')}: --json lists all.`];
}

function copyNote(id: string, { session, entries, spendEntries, ownerAssumed }: Copy): string {
  const what = `${countOf(entries, 'entry', 'entries')} of ${id} (${formatCount(spendEntries)} with spend)`;
  const owner = ownerAssumed ? ', which is taken for their owner, since the file of an ancestor is gone' : '';
  return `${what} ${entries === 1 ? 'stands' : 'stand'} in ${session} too: counted once, in ${id}${owner}.`;
}

/** Only to choose columns and decimals: which amounts occur, and how large they get. */
function largestAmounts(rows: readonly UsageFigures[]): UsageFigures {
  const largest = (field: 'meteredNanoUsd' | 'subscriptionNanoUsd' | 'unknownBillingNanoUsd') =>
    rows.reduce((most, row) => (BigInt(row[field]) > most ? BigInt(row[field]) : most), 0n).toString();
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
