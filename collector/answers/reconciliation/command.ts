import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type LedgerClient, RefusedError, withLedger } from '../../cli/client/ledger-client.ts';
import { askStoreId } from '../../cli/client/left-out.ts';
import type { CliCommand, ExitCode, Terminal } from '../../cli/command.ts';
import { UsageError } from '../../cli/command.ts';
import {
  addDirectoryOptions,
  type DirectoryOptions,
  directoriesGiven,
} from '../../cli/directory-options.ts';
import { printAnswer } from '../../cli/output/answer.ts';
import { formatNames } from '../../cli/output/format.ts';
import { asCalled } from '../../cli/own-line.ts';
import { homeFiles } from '../../config/home-files.ts';
import type { AskCollector } from '../../reconcile/ask.ts';
import type { SessionFile } from '../../reconcile/files/session-files.ts';
import type { Search } from '../../reconcile/readers/reader.ts';
import { readers } from '../../reconcile/readers/registry.ts';
import { defaultSearches, loadFormats } from '../../reconcile/readers/searches.ts';
import type { Reconciliation } from '../../reconcile/reconcile.ts';

interface ReconcileCommandOptions extends DirectoryOptions {
  readonly all?: true;
  readonly wide?: true;
  readonly json?: true;
}

/**
 * `pi-ledger reconcile`: compares session files, the log and the views. Exits with 0 only if every
 * difference is explained.
 */
export const reconcileCommand: CliCommand = {
  examples: {
    reconcile: [
      ['pi-ledger reconcile', 'session files against the ledger; exit code 0 if they agree'],
    ],
  },
  define(program, terminal, exit) {
    const command = program
      .command('reconcile')
      .description(
        'compare session files with the log and the log with the views; list every difference',
      );
    addDirectoryOptions(command, readers)
      .option('--all', 'also show the sessions without differences')
      .option('--wide', 'print all columns and whole ids, however wide that is')
      .option('--json', 'print JSON (amounts are decimal strings of 10^-9 USD)')
      .action(async (options: ReconcileCommandOptions) => {
        exit(await run(options, terminal));
      });
  },
};

async function run(options: ReconcileCommandOptions, terminal: Terminal): Promise<ExitCode> {
  const { reconcile } = await import('../../reconcile/reconcile.ts');
  const searches = await findSearches(options, terminal);
  const formats = await loadFormats(searches);
  const ignored = await ignoresProjects(terminal);
  const result = await withLedger(terminal, async (client) => {
    const compared = await reconcile({
      searches: formats,
      ...askAllowed(client, terminal),
      nowMs: terminal.now().getTime(),
      ignoresProjects: ignored,
      ...(await rememberedOf(client, terminal)),
      hasChanged,
    });
    if (compared.read.files > 0) await keep(compared, client, terminal);
    return compared;
  });
  await print(result, options, terminal);
  if (result.read.files === 0 && options.json !== true)
    terminal.complain(nothingCompared(searches));
  return result.isExplained ? 0 : 1;
}

function hasChanged({ path, files = [path], bytes, changedAtMs }: SessionFile): boolean {
  const stats = files.map((file) => statSync(file, { throwIfNoEntry: false }));
  const size = stats.reduce((sum, each) => sum + (each?.size ?? Number.NaN), 0);
  return size !== bytes || Math.max(...stats.map((each) => each?.mtimeMs ?? 0)) !== changedAtMs;
}

/** As noted by this home's imports. */
async function rememberedOf(client: Pick<LedgerClient, 'getAnyway'>, { env }: Terminal) {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { readLateSessions } = await import('../../importers/progress/late-sessions.ts');
  const { readPrivateSessions } = await import('../../importers/progress/private-parents.ts');
  const path = join(loadCollectorConfig(env).home, homeFiles.imports);
  const storeId = await askStoreId(client);
  return {
    lateSessions: readLateSessions(path, storeId),
    privateSessions: readPrivateSessions(path, storeId),
  };
}

/** For the page. A token that only reads keeps nothing, nor does an older collector. */
async function keep(
  result: Reconciliation,
  client: Pick<LedgerClient, 'post'>,
  terminal: Terminal,
): Promise<void> {
  const { outcomeOf } = await import('./print/outcome.ts');
  try {
    await client.post('/v1/reconciliation', outcomeOf(result, terminal.now().toISOString()));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
}

/**
 * A token that reads only its own may read the events of its own sessions, and the views have
 * nothing else for it either.
 */
function askAllowed(
  client: Pick<LedgerClient, 'getText'>,
  terminal: Terminal,
): { readonly ask: AskCollector; readonly readsOnlyOwn: () => boolean } {
  let log = '/v1/log';
  const ask = async (path: string) =>
    JSON.parse(await client.getText(path.replace(/^\/v1\/log(?=\?)/, log)));
  const askOwn = async (path: string) => {
    try {
      return await ask(path);
    } catch (error) {
      const isClosed = error instanceof RefusedError && error.status === 403;
      if (!isClosed || log !== '/v1/log' || !path.startsWith('/v1/log?')) throw error;
      log = '/v1/log/own';
      const answer = await ask(path);
      terminal.complain('This token reads only its own: compared is what counts for its user.');
      return answer;
    }
  };
  return { ask: askOwn, readsOnlyOwn: () => log !== '/v1/log' };
}

/** Without files there are no differences, which proves nothing. */
function nothingCompared(searches: readonly Search[]): string {
  const directories = searches.flatMap((search) => search.directories);
  const where =
    directories.length === 0
      ? `where ${formatNames(readers)} keep them`
      : `in ${directories.join(', ')}`;
  const flags = formatNames(readers.map((reader) => ({ ...reader, name: `--${reader.name} DIR` })));
  return (
    `There are no session files ${where}, so nothing was compared. ` +
    `Name their folders with ${flags}.`
  );
}

/** The directories given, or those that exist of the usual ones. */
async function findSearches(
  options: ReconcileCommandOptions,
  terminal: Terminal,
): Promise<readonly Search[]> {
  const searches = readers
    .map((reader) => ({ reader, directories: directoriesGiven(options, reader) }))
    .filter(({ directories }) => directories.length > 0);
  if (searches.length === 0) return defaultSearches(terminal.env);
  const missing = searches
    .flatMap(({ directories }) => directories)
    .find((directory) => !statSync(directory, { throwIfNoEntry: false })?.isDirectory());
  if (missing !== undefined) {
    throw new UsageError(`There is no directory ${missing}.`);
  }
  return searches;
}

async function ignoresProjects(terminal: Terminal): Promise<boolean> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  return loadCollectorConfig(terminal.env).rules.projects.some((rule) => 'ignore' in rule);
}

async function print(
  result: Reconciliation,
  { all, wide, json }: ReconcileCommandOptions,
  terminal: Terminal,
): Promise<void> {
  if (json) {
    const { reconciliationJson } = await import('./print/json.ts');
    terminal.printJson(reconciliationJson(result));
    return;
  }
  const { reconciliationParts } = await import('./print/table.ts');
  const isShort = terminal.columns !== null && wide !== true;
  const called = (sentence: string) => asCalled(terminal, sentence);
  printAnswer(terminal, {
    body: reconciliationParts(result, { all: all === true, isShort, called }),
    wide,
  });
}
