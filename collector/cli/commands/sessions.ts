import type { Session } from '@pi-ledger/contract/answers';
import { type LedgerClient, openLedgerClient } from '../client/ledger-client.ts';
import { standingNotes } from '../client/standing.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { UsageError } from '../command.ts';
import { addFilterOptions, type FilterOptions, filterParameters } from '../filters.ts';
import { formatCount } from '../output/format.ts';
import { treesOf } from '../output/session-tree.ts';
import { printSessions, printTrees } from '../output/sessions-table.ts';
import { expectTimeZone } from '../period.ts';
import { expectRowLimit, rowLimitMax } from '../row-limit.ts';

type SessionsOptions = FilterOptions & {
  readonly limit: string;
  readonly tree?: true;
  readonly timezone?: string;
  readonly json?: true;
  readonly csv?: true;
};

const pagesMax = 1_000;
/** The API takes as many of them at once; few enough for the length of a URL. */
const treesPerRequestMax = 50;

/** `pi-ledger sessions`: the newest sessions and what each of them spent. */
export const sessionsCommand: CliCommand = {
  define(program, terminal, exit) {
    const command = program
      .command('sessions')
      .description('the newest sessions and what each spent')
      .option(
        '--tree',
        'the whole trees that they belong to: forks and subagents below the session that they come from',
      )
      .option('--limit <n>', `how many, at most ${formatCount(rowLimitMax)}`, '20')
      .option(
        '--timezone <name>',
        "days and times in this zone (Europe/Berlin), instead of each spender's days and your times",
      )
      .option('--json', 'print JSON')
      .option('--csv', 'print CSV');
    addFilterOptions(command).action(async (options: SessionsOptions) => {
      exit(await listSessions(options, terminal));
    });
  },
};

async function listSessions(options: SessionsOptions, terminal: Terminal): Promise<ExitCode> {
  const limit = expectRowLimit(options.limit);
  if (options.tree && options.csv) {
    throw new UsageError(
      '--tree: has no CSV; the rows of `sessions --csv` name parentSessionId and rootSessionId',
    );
  }
  const timezone =
    options.timezone === undefined ? undefined : expectTimeZone('timezone', options.timezone);
  const parameters = filterParameters(options, terminal.now(), timezone);
  if (timezone !== undefined) parameters.set('timezone', timezone);
  const client = await openLedgerClient(terminal);
  try {
    const notes = await standingNotes(client);
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/sessions', parameters, limit));
      for (const note of notes) terminal.complain(note);
    } else {
      const rows = await newest(limit, parameters, client);
      const trees = options.tree ? await treesWith(rows, client) : null;
      print({ rows, trees, notes }, options, terminal);
    }
    return notes.length === 0 ? 0 : 1;
  } finally {
    await client.close();
  }
}

interface Found {
  readonly rows: readonly Session[];
  readonly trees: ReturnType<typeof treesOf<Session>> | null;
  /** Why the figures may be wrong. */
  readonly notes: readonly string[];
}

function print(
  { rows, trees, notes }: Found,
  { json, timezone }: SessionsOptions,
  terminal: Terminal,
): void {
  if (json) {
    terminal.printJson({
      ...(trees === null ? { rows } : { trees }),
      ...(notes.length === 0 ? {} : { notes }),
    });
    return;
  }
  if (trees === null) printSessions(rows, terminal, timezone);
  else printTrees(trees, terminal, timezone);
  for (const note of notes) terminal.print(note);
}

/**
 * A page may end before it is full, when the collector has looked at very many sessions that do not
 * fit.
 */
async function newest(
  limit: number,
  parameters: URLSearchParams,
  client: LedgerClient,
): Promise<readonly Session[]> {
  const rows: Session[] = [];
  const query = new URLSearchParams(parameters);
  for (let page = 0; page < pagesMax; page++) {
    query.set('limit', String(limit - rows.length));
    const answer = await client.get('/v1/sessions', { query });
    rows.push(...answer.rows);
    if (answer.next === null || rows.length >= limit) break;
    query.set('cursor', answer.next);
  }
  return rows;
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
