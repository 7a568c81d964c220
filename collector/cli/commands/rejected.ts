import type { DeadLetter } from '@pi-ledger/contract/answers';
import { withLedger } from '../client/ledger-client.ts';
import { type CliCommand, type Terminal, UsageError } from '../command.ts';
import { formatTime } from '../output/format.ts';
import { type Column, printTable } from '../output/table.ts';

/** `pi-ledger rejected list|retry`: rejected events, and a second try, after an upgrade say. */
export const rejectedCommand: CliCommand = {
  define(program, terminal, exit) {
    const rejected = program
      .command('rejected')
      .description('list rejected events, or try them again');
    rejected
      .command('list')
      .description('list the rejected events, with the reason')
      .option('--json', 'print JSON')
      .action(async (options: { readonly json?: true }) => {
        await list(options.json === true, terminal);
        exit(0);
      });
    rejected
      .command('retry')
      .description('try rejected events again: all of them, or those named')
      .argument('[id...]', 'ids, as listed')
      .option('--json', 'print JSON')
      .action(async (ids: readonly string[], options: { readonly json?: true }) => {
        exit((await retry(ids, options.json === true, terminal)) ? 0 : 1);
      });
  },
};

async function list(json: boolean, terminal: Terminal): Promise<void> {
  const { rows } = await withLedger(terminal, (client) => client.getAll('/v1/dead-letters'));
  if (json) terminal.printJson({ rows });
  else if (rows.length === 0) terminal.print('No events were rejected.');
  else printTable(terminal, columns, rows);
}

/** True if no event was rejected again, and all that were named exist. */
async function retry(
  idTexts: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<boolean> {
  const ids = idTexts.map((text) => {
    if (!/^\d{1,15}$/.test(text)) {
      throw new UsageError(
        `id: expected a number as \`pi-ledger rejected list\` shows it, got "${text}"`,
      );
    }
    return Number(text);
  });
  const answer = await withLedger(terminal, (client) =>
    client.post('/v1/dead-letters/retry', ids.length === 0 ? {} : { ids }),
  );
  const { accepted, duplicates, rejected, unknown } = answer;
  const said = [
    `${accepted} accepted`,
    `${duplicates} already known`,
    `${rejected} rejected again`,
    ...(unknown > 0 ? [`${unknown} not in the list`] : []),
  ];
  terminal.print(json ? JSON.stringify(answer) : `${said.join(', ')}.`);
  return rejected + unknown === 0;
}

const columns: readonly Column<DeadLetter>[] = [
  { title: 'id', align: 'right', dropOrder: 0, cell: (row) => String(row.id) },
  { title: 'received', align: 'left', dropOrder: 2, cell: (row) => formatTime(row.receivedAt) },
  { title: 'reason', align: 'left', dropOrder: 0, cell: (row) => row.code },
  { title: 'field', align: 'left', dropOrder: 1, cell: (row) => row.field },
  { title: 'message', align: 'left', dropOrder: 0, cell: (row) => row.message },
];
