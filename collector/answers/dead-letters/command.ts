import type { Answers, DeadLetter } from '@pi-ledger/contract/answers';
import { type LedgerClient, withLedger } from '../../cli/client/ledger-client.ts';
import { type CliCommand, type Terminal, UsageError } from '../../cli/command.ts';
import { addWideOption, printAnswer, table } from '../../cli/output/answer.ts';
import { countOf } from '../../cli/output/counts.ts';
import type { Column } from '../../cli/output/table.ts';

interface ListOptions {
  readonly wide?: true;
  readonly json?: true;
}

interface RemoveOptions {
  readonly all?: true;
  readonly json?: true;
}

/**
 * `pi-ledger rejected list|retry|remove`: rejected events, a second try, after an upgrade say, and
 * their end.
 */
export const rejectedCommand: CliCommand = {
  examples: {
    'store rejected list': [['pi-ledger store rejected list', 'with the reasons']],
    'store rejected retry': [['pi-ledger store rejected retry', 'all of them']],
    'store rejected remove': [['pi-ledger store rejected remove 3 4', 'two of them, for good']],
  },
  define(program, terminal, exit) {
    const rejected = program
      .command('rejected')
      .description('list rejected events, try them again, or remove them');
    addWideOption(rejected.command('list'))
      .description('list the rejected events, with the reason')
      .option('--json', 'print JSON')
      .action(async (options: ListOptions) => {
        exit((await list(options, terminal)) ? 0 : 1);
      });
    rejected
      .command('retry')
      .description('try rejected events again: all of them, or those named')
      .argument('[id...]', 'ids, as listed')
      .option('--json', 'print JSON')
      .action(async (ids: readonly string[], options: { readonly json?: true }) => {
        exit((await retry(ids, options.json === true, terminal)) ? 0 : 1);
      });
    rejected
      .command('remove')
      .description('delete rejected events for good: those named, or all of them')
      .argument('[id...]', 'ids, as listed')
      .option('--all', 'all rejected events')
      .option('--json', 'print JSON')
      .action(async (ids: readonly string[], options: RemoveOptions) => {
        exit((await remove(ids, options, terminal)) ? 0 : 1);
      });
  },
};

/** True if all can be read. */
async function list({ wide, json }: ListOptions, terminal: Terminal): Promise<boolean> {
  const { rows, unread } = await withLedger(terminal, readAll);
  if (json) terminal.printJson({ rows, unread });
  else if (rows.length > 0) printAnswer(terminal, { body: [table({ columns, rows })], wide });
  else if (unread.length === 0) terminal.print('No events were rejected.');
  return complainOf(unread, terminal);
}

type Listed = Omit<Answers['GET /v1/dead-letters'], 'next'>;
type Unread = Listed['unread'];

async function readAll(client: LedgerClient): Promise<Listed> {
  const rows: DeadLetter[] = [];
  const all: Unread[number][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '1000', ...(cursor === '' ? {} : { cursor }) });
    const page: Answers['GET /v1/dead-letters'] = await client.get('/v1/dead-letters', { query });
    // A collector of an earlier version does not say.
    const { unread = [] } = page;
    rows.push(...page.rows);
    all.push(...unread);
    cursor = page.next;
  }
  return { rows, unread: all };
}

/** True if nothing of the store is damaged. A collector of an earlier version does not say. */
function isWhole(
  { unread, kept = 0 }: Pick<Answers['POST /v1/dead-letters/retry'], 'unread' | 'kept'>,
  terminal: Terminal,
): boolean {
  if (kept > 0)
    terminal.complain(
      `${countOf(kept, 'rejected event')} could not be removed from the list: ` +
        'a part of the store beside them is damaged.',
    );
  return complainOf(unread, terminal) && kept === 0;
}

/** True if there is nothing to complain of. */
function complainOf(unread: Unread = [], terminal: Terminal): boolean {
  for (const { after, before } of unread)
    terminal.complain(
      'A part of the store is damaged. Rejected events that cannot be read: those after id ' +
        `${after}${before === null ? '' : ` and before id ${before}`}. ` +
        '`pi-ledger doctor --deep` says more.',
    );
  return unread.length === 0;
}

/** True if no event was rejected again, all that were named exist, and all can be read. */
async function retry(
  idTexts: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<boolean> {
  const ids = idTexts.map(idOf);
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
  return isWhole(answer, terminal) && rejected + unknown === 0;
}

/** True if all that were named existed. */
async function remove(
  idTexts: readonly string[],
  { all, json }: RemoveOptions,
  terminal: Terminal,
): Promise<boolean> {
  if ((idTexts.length === 0) === (all === undefined))
    throw new UsageError('Name the rejected events to remove by their ids, or say --all.');
  const ids = all ? 'all' : idTexts.map(idOf);
  const answer = await withLedger(terminal, (client) =>
    client.post('/v1/dead-letters/remove', { ids }),
  );
  const { removed, unknown } = answer;
  const said = [`${removed} removed`, ...(unknown > 0 ? [`${unknown} not in the list`] : [])];
  terminal.print(json ? JSON.stringify(answer) : `${said.join(', ')}.`);
  return isWhole(answer, terminal) && unknown === 0;
}

function idOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(
    `id: expected a number as \`pi-ledger rejected list\` shows it, got "${text}"`,
  );
}

const columns: readonly Column<DeadLetter>[] = [
  { title: 'id', align: 'right', dropOrder: 0, cell: (row) => String(row.id) },
  { title: 'received', align: 'left', dropOrder: 2, cell: (row, { time }) => time(row.receivedAt) },
  { title: 'reason', align: 'left', dropOrder: 0, cell: (row) => row.code },
  { title: 'field', align: 'left', dropOrder: 1, cell: (row) => row.field },
  { title: 'message', align: 'left', dropOrder: 0, cell: (row) => row.message },
];
