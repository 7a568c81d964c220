/** Everything known about one session: whose it is, what it spent, its runs and its tools. */

import { grouped } from '@pi-ledger/contract/amounts';
import type {
  SessionDetails,
  SessionRun,
  ToolRow,
  UsageFigures,
} from '@pi-ledger/contract/answers';
import { table } from '../../../cli/output/answer.ts';
import type { Answer, Drawn, Note, Table } from '../../../cli/output/answer-parts.ts';
import { durationText } from '../../../cli/output/compaction-row.ts';
import { countColumn, countOf } from '../../../cli/output/counts.ts';
import type { Column } from '../../../cli/output/table.ts';
import type { Writing } from '../../../cli/output/writing.ts';
import { usageColumns, usageNotes } from '../../spend/print.ts';
import { cacheNotes, costPartsTable } from '../../spend/print-parts.ts';
import { toolsTable } from '../../tools/print.ts';

export function sessionAnswer(session: SessionDetails): Pick<Answer, 'first' | 'body' | 'notes'> {
  const { runs, tools } = session;
  const parts = costPartsTable(session, session.cache);
  return {
    first: `session ${session.id}`,
    body: [
      fieldsPart(session),
      '',
      spendTable(session),
      ...(parts === null ? [] : ['', parts]),
      ...(runs.length === 0 ? [] : ['', runsTable(runs)]),
      ...(tools.length === 0 ? [] : ['', ownToolsTable(session)]),
    ],
    notes: notesOf(session),
  };
}

/** Lines on a terminal. */
function fieldsPart(session: SessionDetails): Drawn {
  const text = (title: string, place: 0 | 1): Column<Field> => ({
    title,
    align: 'left',
    dropOrder: 0,
    cell: (field) => field[place],
  });
  return {
    lines: (_style, writing) =>
      fieldsOf(session, writing).map(([name, field]) => `  ${name.padEnd(nameWidth)}${field}`),
    table: (writing) =>
      table({ columns: [text('session', 0), text('', 1)], rows: fieldsOf(session, writing) })(
        writing,
      ),
  };
}

const nameWidth = 14;

type Field = readonly [name: string, text: string];

function fieldsOf(session: SessionDetails, { time }: Writing): readonly Field[] {
  const { project, branch, user, machine, host, hostVersion, agentName } = session;
  const known = (...texts: readonly (string | null)[]) =>
    texts.filter((text) => text !== null && text !== '').join(' ');
  const { prompts, turns, toolCalls, toolErrors, compactions } = session;
  const fields: readonly Field[] = [
    ['project', known(project ?? '(unknown)', branch && `on ${branch}`)],
    ['user', known(user ?? '(unknown)', machine && `at ${machine}`)],
    ['host', known(host, hostVersion)],
    ['agent', agentName ?? ''],
    ['parent', parentText(session)],
    ['time', `${time(session.startedAt)} to ${time(session.lastSeenAt)}`],
    [
      'work',
      [
        countOf(prompts, 'prompt'),
        countOf(turns, 'turn'),
        `${countOf(toolCalls, 'tool call')}${toolErrors > 0 ? ` (${toolErrors} failed)` : ''}`,
        countOf(compactions, 'compaction'),
      ].join(', '),
    ],
    ['private', privateText(session, time)],
  ];
  return fields.filter(([, text]) => text !== '');
}

/** Not unknown spend: the user wished it so. */
function privateText(session: SessionDetails, time: (iso: string) => string): string {
  if (session.private === null) return '';
  const { entries, pausedSince } = session.private;
  const paused = pausedSince === null ? [] : [`recording is paused since ${time(pausedSince)}`];
  const hidden = entries === 1 ? '1 entry' : `${grouped(entries)} entries`;
  return [...(entries > 0 ? [`${hidden} not recorded`] : []), ...paused].join(', ');
}

function parentText({ parentSessionId, relation }: SessionDetails): string {
  return parentSessionId === null ? '' : `${relation ?? 'child'} of ${parentSessionId}`;
}

function spendTable(session: SessionDetails): Table {
  const { withSubagents: all } = session;
  const rows: readonly SpentRow[] =
    all === null
      ? [{ ...session, name: 'in all' }]
      : [
          { ...session, name: 'itself' },
          {
            ...all,
            name: `with ${countOf(all.subagents, 'subagent')}${all.isAtLeast ? ' of more' : ''}`,
          },
        ];
  const columns: readonly Column<SpentRow>[] = [
    { title: 'spent', align: 'left', dropOrder: 0, cell: ({ name }) => name },
    ...usageColumns(all ?? session),
  ];
  return table({ columns, rows });
}

interface SpentRow extends UsageFigures {
  readonly name: string;
}

function runsTable(runs: readonly SessionRun[]): Table {
  const columns: readonly Column<SessionRun>[] = [
    { title: 'run ended', align: 'left', dropOrder: 0, cell: (run, { time }) => time(run.endedAt) },
    {
      title: 'took',
      align: 'right',
      dropOrder: 0,
      cell: ({ durationMs }) => durationText(durationMs),
    },
    { title: 'outcome', align: 'left', dropOrder: 0, cell: outcomeText },
    countColumn('turns', 0, ({ turns }) => turns),
    countColumn('tool calls', 1, ({ toolCalls }) => toolCalls),
    countColumn('errors', 2, ({ errors }) => errors),
    countColumn('files modified', 3, ({ filesModified }) => filesModified),
  ];
  return table({ columns, rows: runs });
}

function outcomeText({ outcome, attempts }: SessionRun): string {
  const text = outcome === 'length' ? 'cut off' : outcome;
  return attempts > 1 ? `${text}, ${attempts} attempts` : text;
}

function ownToolsTable({ tools }: SessionDetails): Table {
  const rows = tools.map(({ name, errors, ...tool }): ToolRow => {
    return { tool: name, failures: errors, ...tool };
  });
  return toolsTable(rows.toSorted((left, right) => right.calls - left.calls));
}

function notesOf(session: SessionDetails): readonly Note[] {
  const { runs, runsTotal, tools } = session;
  return [
    ...(runsTotal > runs.length
      ? [{ text: `the newest ${runs.length} of ${grouped(runsTotal)} runs` }]
      : []),
    ...(tools.length > 0
      ? [{ mark: '~' as const, text: 'estimated: percentiles, tokens of results' }]
      : []),
    ...usageNotes(session.withSubagents ?? session),
    ...(session.cacheReadTokens === 0 && session.cacheWriteTokens === 0
      ? []
      : cacheNotes(session.cache)),
  ];
}
