/** `pi-ledger requests` as a table. */
import type { Request, RequestList } from '@pi-ledger/contract/answers';
import { table } from '../../cli/output/answer.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { amountText, durationText, kindNames } from '../../cli/output/compaction-row.ts';
import { shortIds } from '../../cli/output/short-ids.ts';
import type { Column } from '../../cli/output/table.ts';

/** `isShort`: ids as short as they can be told apart. */
export function requestsTable({ rows }: RequestList, isShort: boolean): Table {
  const idOf = isShort ? shortIds(rows.map(({ session }) => session)) : (id: string) => id;
  const isUnknownUsed = rows.some(({ billing }) => billing === 'unknown');
  const columns: readonly Column<Request>[] = [
    { title: 'when', align: 'left', dropOrder: 0, cell: ({ time }, writing) => writing.time(time) },
    { title: 'session', align: 'left', dropOrder: 0, cell: ({ session }) => idOf(session) },
    name('model', 1, ({ model, kind }) => model ?? (kind === 'turn' ? null : kindNames[kind])),
    amount('metered', 'metered'),
    amount('subscription', 'subscription'),
    ...(isUnknownUsed ? [amount('billing unknown', 'unknown')] : []),
    { title: 'answer', align: 'left', dropOrder: 0, cell: outcome },
    duration('took', 2, ({ durationMs }) => durationMs),
    duration('first', 4, ({ firstTokenMs }) => firstTokenMs),
    count('sent', 3, ({ sentTokens }) => sentTokens),
    count('from cache', 5, ({ cacheReadTokens }) => cacheReadTokens),
    count('output', 4, ({ outputTokens }) => outputTokens),
    name('project', 3, ({ project }) => project),
    count('turn', 6, ({ turn }) => turn),
    name('provider', 7, ({ provider }) => provider),
  ];
  return table({ columns, rows });
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

const nameWidthMax = 24;

function name(title: string, dropOrder: number, of: (row: Request) => string | null) {
  const cell = (row: Request) => of(row) ?? '(unknown)';
  return { title, align: 'left', dropOrder, widthMax: nameWidthMax, cell } as const;
}

function amount(title: string, billing: Request['billing']): Column<Request> {
  const cell = (row: Request) => (row.billing === billing ? amountText(row.costNanoUsd) : '–');
  return { title, align: 'right', dropOrder: 0, cell };
}

function duration(
  title: string,
  dropOrder: number,
  of: (row: Request) => number | null,
): Column<Request> {
  const cell = (row: Request) => {
    const ms = of(row);
    return ms === null ? 'n/a' : durationText(ms);
  };
  return { title, align: 'right', dropOrder, cell };
}

function count(
  title: string,
  dropOrder: number,
  of: (row: Request) => number | null,
): Column<Request> {
  return {
    title,
    align: 'right',
    dropOrder,
    cell: (row, writing) => {
      const value = of(row);
      return value === null ? 'n/a' : writing.count(value);
    },
  };
}
