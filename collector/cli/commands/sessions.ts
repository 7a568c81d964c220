import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { UsageError } from '../command.ts';
import { addFilterOptions, type FilterOptions, filterParameters } from '../filters.ts';
import { formatCount } from '../format.ts';
import { type LedgerClient, openLedgerClient } from '../ledger-client.ts';
import { treesOf } from '../session-tree.ts';
import { printSessions, printTrees, type SessionRow } from '../sessions-table.ts';

type SessionsOptions = FilterOptions & { readonly limit: string; readonly tree?: true; readonly json?: true; readonly csv?: true };

const limitMax = 1000;
/** The API takes as many of them at once; few enough for the length of a URL. */
const treesPerRequestMax = 50;

/** `pi-ledger sessions`: the newest sessions and what each of them spent. */
export const sessionsCommand: CliCommand = {
  define(program, terminal, exit) {
    const command = program
      .command('sessions')
      .description('the newest sessions and what each spent')
      .option('--tree', 'the whole trees that they belong to: forks and subagents below the session that they come from')
      .option('--limit <n>', `how many, at most ${formatCount(limitMax)}`, '20')
      .option('--json', 'print JSON')
      .option('--csv', 'print CSV');
    addFilterOptions(command).action(async (options: SessionsOptions) => {
      exit(await listSessions(options, terminal));
    });
  },
};

async function listSessions(options: SessionsOptions, terminal: Terminal): Promise<ExitCode> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw new UsageError(`--limit: expected a whole number from 1 to ${limitMax}, got "${options.limit}"`);
  }
  if (options.tree && options.csv) {
    throw new UsageError('--tree: has no CSV; the rows of `sessions --csv` name parentSessionId and rootSessionId');
  }
  const parameters = filterParameters(options, terminal.now());
  parameters.set('limit', String(limit));
  const client = await openLedgerClient(terminal);
  try {
    if (options.csv) {
      parameters.set('format', 'csv');
      terminal.print((await client.getText(`/v1/sessions?${parameters}`)).trimEnd());
      return 0;
    }
    const { rows } = (await client.get(`/v1/sessions?${parameters}`)) as { readonly rows: readonly SessionRow[] };
    if (options.tree) await showTrees(rows, options.json === true, client, terminal);
    else if (options.json) terminal.print(JSON.stringify({ rows }, null, 2));
    else printSessions(rows, terminal);
    return 0;
  } finally {
    await client.close();
  }
}

async function showTrees(rows: readonly SessionRow[], json: boolean, client: LedgerClient, terminal: Terminal): Promise<void> {
  const roots = [...new Set(rows.map(({ rootSessionId }) => rootSessionId))];
  const members: SessionRow[] = [];
  for (let from = 0; from < roots.length; from += treesPerRequestMax) {
    const trees = new URLSearchParams();
    for (const root of roots.slice(from, from + treesPerRequestMax)) trees.append('tree', root);
    const answer = (await client.getAll(`/v1/sessions?${trees}`)) as { readonly rows: readonly SessionRow[] };
    members.push(...answer.rows);
  }
  const trees = treesOf(roots, members);
  if (json) terminal.print(JSON.stringify({ trees }, null, 2));
  else printTrees(trees, terminal);
}
