import { grouped } from '@pi-ledger/contract/amounts';
import type { Importing, LeftOut, Session } from '@pi-ledger/contract/answers';
import { importingJson, importingLine, readImporting } from '../../cli/client/importing.ts';
import { type LedgerClient, RefusedError, withLedger } from '../../cli/client/ledger-client.ts';
import { leftOutNotes, readLeftOut } from '../../cli/client/left-out.ts';
import { complainAbout, standingNotes, warningTexts } from '../../cli/client/standing.ts';
import { unknownNotes } from '../../cli/client/unknown-names.ts';
import { whyEmpty } from '../../cli/client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../../cli/command.ts';
import { UsageError } from '../../cli/command.ts';
import {
  addFilterOptions,
  addLabelOption,
  type FilterOptions,
  filterParameters,
} from '../../cli/filters.ts';
import { addWideOption } from '../../cli/output/answer.ts';
import type { Note } from '../../cli/output/answer-parts.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { expectRowLimit, rowLimitMax } from '../../cli/row-limit.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';
import { printSessions, printTrees } from './print/table.ts';
import { treesOf } from './print/tree.ts';
import { defineShow } from './show-command.ts';

type SessionsOptions = FilterOptions &
  ShowingOptions & {
    readonly limit: string;
    readonly tree?: true;
    readonly wide?: true;
  };

const pagesMax = 1_000;
/** The API takes this many at once, and they fit into a URL. */
const treesPerRequestMax = 50;

/** `pi-ledger sessions`: the newest sessions, and what each one spent. */
export const sessionsCommand: CliCommand = {
  examples: {
    sessions: [
      ['pi-ledger sessions --limit 5', 'the newest sessions'],
      ['pi-ledger sessions --tree --since today', 'with forks and subagents'],
    ],
    'sessions show': [['pi-ledger sessions show last', 'the newest session']],
  },
  define(program, terminal, exit) {
    const command = program
      .command('sessions')
      .description('show the newest sessions and what each one spent')
      .option(
        '--tree',
        'show their whole trees: forks and subagents below the session they come from',
      )
      .option('--limit <n>', `number of sessions, at most ${grouped(rowLimitMax)}`, '20')
      .option(
        '--timezone <name>',
        "show days and times in this zone (Europe/Berlin), not each spender's days and your times",
      )
      .option('--json', 'print JSON')
      .option('--csv', 'print CSV');
    addLabelOption(addFilterOptions(addShowingOptions(addWideOption(command)))).action(
      async (options: SessionsOptions) => {
        exit(await showing(options, terminal, (shown) => listSessions(options, shown)));
      },
    );
    defineShow(command, terminal, exit);
  },
};

async function listSessions(options: SessionsOptions, terminal: Terminal): Promise<ExitCode> {
  const limit = expectRowLimit(options.limit);
  if (options.tree && options.csv) {
    throw new UsageError(
      '--tree: not available with --csv, whose rows name parentSessionId and rootSessionId',
    );
  }
  const parameters = filterParameters(options, terminal.now());
  return withLedger(terminal, async (client) => {
    const standing = await standingNotes(client);
    const leftOut = await readLeftOut(terminal, client);
    const notes = [...standing, ...leftOutNotes(leftOut), ...(await unknownNotes(client, options))];
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/sessions', parameters, limit));
      complainAbout(notes, terminal);
    } else {
      const { rows, hasMore } = await newest(limit, parameters, client);
      const all = hasMore && !options.json ? await countAll(parameters, client) : null;
      const trees = options.tree ? await treesWith(rows, client) : null;
      const empty =
        rows.length === 0 && !options.json ? await whyEmpty(client, options, terminal) : '';
      const importing = await readImporting(terminal, client);
      const { source } = client;
      const found = { rows, hasMore, all, trees, leftOut, notes, empty, importing, source };
      print(found, options, terminal);
    }
    return standing.length === 0 ? 0 : 1;
  });
}

interface Found {
  readonly rows: readonly Session[];
  readonly hasMore: boolean;
  /** How many there are; null: not asked, or nobody knows. */
  readonly all: number | null;
  readonly trees: ReturnType<typeof treesOf<Session>> | null;
  readonly leftOut: LeftOut;
  /** Why the figures may be wrong. */
  readonly notes: readonly Note[];
  /** Why there are no rows. */
  readonly empty: string;
  readonly importing: Importing | null;
  readonly source: string | null;
}

function print(
  { rows, hasMore, all, trees, leftOut, notes, empty, importing, source }: Found,
  options: SessionsOptions,
  terminal: Terminal,
): void {
  if (options.json) {
    terminal.printJson({
      ...(trees === null ? { rows } : { trees }),
      leftOut,
      ...warningTexts(notes),
      ...importingJson(importing),
    });
    return;
  }
  const of = all === null ? '' : ` of ${grouped(all)}`;
  const what = hasMore ? `the newest ${grouped(rows.length)}${of}` : 'newest first';
  const shown = {
    first: firstLine(options, terminal, { what, source }),
    empty,
    importing: importingLine(importing, terminal),
    notes: [...notes, ...(hasMore ? [{ text: 'there are more', next: '--limit' }] : [])],
    wide: options.wide,
    timeZone: options.timezone,
  };
  if (trees === null) printSessions(rows, terminal, shown);
  else printTrees(trees, terminal, shown);
}

/** A page may end early if the collector had to skip very many sessions that do not match. */
async function newest(
  limit: number,
  parameters: URLSearchParams,
  client: LedgerClient,
): Promise<{ readonly rows: readonly Session[]; readonly hasMore: boolean }> {
  const rows: Session[] = [];
  let hasMore = false;
  const query = new URLSearchParams(parameters);
  for (let page = 0; page < pagesMax; page++) {
    query.set('limit', String(limit - rows.length));
    const answer = await client.get('/v1/sessions', { query });
    rows.push(...answer.rows);
    hasMore = answer.next !== null;
    if (answer.next === null || rows.length >= limit) break;
    query.set('cursor', answer.next);
  }
  return { rows, hasMore };
}

async function countAll(parameters: URLSearchParams, client: LedgerClient): Promise<number | null> {
  const query = new URLSearchParams(parameters);
  query.set('limit', '1');
  query.set('total', 'include');
  try {
    return (await client.get('/v1/sessions', { query })).total ?? null;
  } catch (error) {
    // An older collector has no such parameter.
    if (error instanceof RefusedError && error.status === 400) return null;
    throw error;
  }
}

/** The whole trees that these sessions belong to. */
async function treesWith(rows: readonly Session[], client: LedgerClient) {
  const roots = [...new Set(rows.map(({ rootSessionId }) => rootSessionId))];
  const members: Session[] = [];
  for (let from = 0; from < roots.length; from += treesPerRequestMax) {
    const trees = new URLSearchParams();
    for (const root of roots.slice(from, from + treesPerRequestMax)) trees.append('tree', root);
    const answer = await client.getAll('/v1/sessions', trees);
    members.push(...answer.rows);
  }
  return treesOf(roots, members);
}
