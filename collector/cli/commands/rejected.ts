import type { DeadLetter } from '@pi-ledger/contract/answers';
import { openLedgerClient } from '../client/ledger-client.ts';
import { type CliCommand, type Terminal, UsageError } from '../command.ts';
import { formatTime } from '../output/format.ts';
import { type Column, renderTable } from '../output/table.ts';

/**
 * `pi-ledger rejected list|retry`: events that were refused, and a second try for them (after an
 * upgrade, say).
 */
export const rejectedCommand: CliCommand = {
  define(program, terminal, exit) {
    const rejected = program
      .command('rejected')
      .description('events that were refused: list them, or try them again');
    rejected
      .command('list')
      .description('what was refused and why')
      .option('--json', 'print JSON')
      .action(async (options: { readonly json?: true }) => {
        await list(options.json === true, terminal);
        exit(0);
      });
    rejected
      .command('retry')
      .description('offer refused events to the log again: all of them, or those named')
      .argument('[id...]', 'ids, as listed')
      .option('--json', 'print JSON')
      .action(async (ids: readonly string[], options: { readonly json?: true }) => {
        exit((await retry(ids, options.json === true, terminal)) ? 0 : 1);
      });
  },
};

async function list(json: boolean, terminal: Terminal): Promise<void> {
  const client = await openLedgerClient(terminal);
  try {
    const { rows } = await client.getAll('/v1/dead-letters');
    if (json) {
      terminal.printJson({ rows });
    } else if (rows.length === 0) {
      terminal.print('No event was refused.');
    } else {
      printTable(rows, terminal);
    }
  } finally {
    await client.close();
  }
}

/** True when nothing was refused again, and all that was named was there. */
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
  const client = await openLedgerClient(terminal);
  try {
    const answer = await client.post('/v1/dead-letters/retry', ids.length === 0 ? {} : { ids });
    const { accepted, duplicates, rejected, unknown } = answer;
    const said = [
      `${accepted} accepted`,
      `${duplicates} known already`,
      `${rejected} refused again`,
    ];
    terminal.print(
      json
        ? JSON.stringify(answer)
        : `${[...said, ...(unknown > 0 ? [`${unknown} not in the list`] : [])].join(', ')}.`,
    );
    return rejected + unknown === 0;
  } finally {
    await client.close();
  }
}

function printTable(rows: readonly DeadLetter[], terminal: Terminal): void {
  const columns: Column<DeadLetter>[] = [
    { title: 'id', align: 'right', dropOrder: 0, cell: (row) => String(row.id) },
    { title: 'received', align: 'left', dropOrder: 2, cell: (row) => formatTime(row.receivedAt) },
    { title: 'reason', align: 'left', dropOrder: 0, cell: (row) => row.code },
    { title: 'field', align: 'left', dropOrder: 1, cell: (row) => row.field },
    { title: 'message', align: 'left', dropOrder: 0, cell: (row) => row.message },
  ];
  for (const line of renderTable(columns, rows, null, {
    width: terminal.columns,
    colour: terminal.colour,
  })) {
    terminal.print(line);
  }
}
