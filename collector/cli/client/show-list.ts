/** What commands have in common that show one list of the API, as a table, JSON or CSV. */
import type { Answers } from '@pi-ledger/contract/answers';
import type { ExitCode, Terminal } from '../command.ts';
import { type FilterOptions, filterParameters } from '../filters.ts';
import type { Found } from './found.ts';
import { importingJson, readImporting } from './importing.ts';
import { type LedgerClient, type ListPath, withLedger } from './ledger-client.ts';
import { complainOf, standingNotes, warningTexts } from './standing.ts';
import { unknownNotes } from './unknown-names.ts';

export interface ListOptions extends FilterOptions {
  readonly json?: true;
  readonly csv?: true;
  readonly wide?: true;
}

interface ListShown<Path extends ListPath> {
  readonly path: Path;
  /** What the rows are made of. */
  readonly view: Parameters<typeof standingNotes>[1];
  /** In words, where there are no rows. */
  why(client: LedgerClient, parameters: URLSearchParams): Promise<string>;
  /** For people. */
  print(found: Found<Answers[`GET ${Path}`]>): void;
}

/** Exit code 1: the view is behind, so that figures may be wrong. */
export async function showList<Path extends ListPath>(
  options: ListOptions,
  terminal: Terminal,
  { path, view, why, print }: ListShown<Path>,
): Promise<ExitCode> {
  const parameters = filterParameters(options, terminal.now());
  return withLedger(terminal, async (client) => {
    const standing = await standingNotes(client, view);
    const notes = [...standing, ...(await unknownNotes(client, options))];
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv(path, parameters));
      complainOf(notes, terminal);
    } else {
      const answer = await client.getAll(path, parameters);
      const isEmpty = answer.rows.length === 0 && !options.json;
      const empty = isEmpty ? await why(client, parameters) : null;
      const importing = await readImporting(terminal, client);
      const { next: _, ...rest } = answer;
      if (options.json)
        terminal.printJson({ ...rest, ...warningTexts(notes), ...importingJson(importing) });
      else print({ answer, notes, empty, importing, source: client.source });
    }
    return standing.length === 0 ? 0 : 1;
  });
}
