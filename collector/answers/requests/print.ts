/** `pi-ledger requests` as a table. */
import type { Request, RequestList } from '@pi-ledger/contract/answers';
import { requestTable } from '@pi-ledger/contract/columns/requests';
import { table } from '../../cli/output/answer.ts';
import { tableColumns } from '../../cli/output/answer-columns.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { kindNames } from '../../cli/output/compaction-row.ts';

export function requestsTable({ rows }: RequestList): Table {
  const cells = { model: modelText, answer: outcome };
  return table({ columns: tableColumns(requestTable, { rows, cells }), rows });
}

export function requestsNotes({ rows, isComplete, sessionsRead }: RequestList): readonly Note[] {
  const unreported = rows.filter(({ costSource }) => costSource === 'unreported').length;
  return [
    ...(isComplete
      ? []
      : [{ text: `only the newest ${sessionsRead} sessions were read; narrow it: --since` }]),
    ...(unreported > 0
      ? [{ mark: 'n/a' as const, text: `${unreported} reported nothing; their cost is not known` }]
      : []),
  ];
}

function outcome({ failed, status, kind }: Request): string {
  const words = failed ? 'failed' : kind === 'turn' ? 'ok' : kindNames[kind];
  return failed && status !== null ? `${words}, ${status}` : words;
}

function modelText({ model, kind }: Request): string {
  return model ?? (kind === 'turn' ? '(unknown)' : kindNames[kind]);
}
