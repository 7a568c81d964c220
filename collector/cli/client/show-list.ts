/** What commands have in common that show one list of the API, as a table, JSON or CSV. */
import type { Answers, LeftOut } from '@pi-ledger/contract/answers';
import type { ExitCode, Terminal } from '../command.ts';
import { type FilterOptions, filterParameters } from '../filters.ts';
import type { Note } from '../output/answer-parts.ts';
import { countOf } from '../output/counts.ts';
import type { Found } from './found.ts';
import { importingJson, readImporting } from './importing.ts';
import { type LedgerClient, type ListPath, withLedger } from './ledger-client.ts';
import { leftOutNotes, readLeftOut } from './left-out.ts';
import { complainAbout, standingNotes, warningTexts } from './standing.ts';
import { unknownNotes } from './unknown-names.ts';

export interface ListOptions extends FilterOptions {
  readonly json?: true;
  readonly csv?: true;
  readonly wide?: true;
}

/** How a list is asked for and shown. */
interface ListShown<Path extends ListPath> {
  readonly path: Path;
  /** The projections that the rows are made of. */
  readonly views: readonly string[];
  /** The rows are of spend: says what imports left out of it. */
  readonly isOfSpend?: true;
  /** Beside the filters. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Which part of the answer is shown; by default all of it. */
  select?(answer: Answers[`GET ${Path}`]): Answers[`GET ${Path}`];
  /** What the answer itself says is missing from it. */
  warnings?(answer: Answers[`GET ${Path}`]): readonly Note[];
  /** In words, where there are no rows and no warnings. */
  why(client: LedgerClient, parameters: URLSearchParams): Promise<string>;
  /** For people. */
  print(found: Found<Answers[`GET ${Path}`]>, asked: Asked): void | Promise<void>;
}

interface Asked {
  readonly client: LedgerClient;
  readonly parameters: URLSearchParams;
}

/** Exit code 1: a view is behind, so that figures may be wrong. */
export async function showList<Path extends ListPath>(
  options: ListOptions,
  terminal: Terminal,
  shown: ListShown<Path>,
): Promise<ExitCode> {
  const parameters = filterParameters(options, terminal.now());
  for (const [name, value] of Object.entries(shown.parameters ?? {})) parameters.set(name, value);
  return withLedger(terminal, async (client) => {
    const standing = await standingNotes(client, shown.views);
    const leftOut = shown.isOfSpend ? await readLeftOut(terminal, client) : null;
    const notes = [
      ...standing,
      ...(leftOut === null ? [] : leftOutNotes(leftOut)),
      ...(await unknownNotes(client, options)),
    ];
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv(shown.path, parameters));
      complainAbout(notes, terminal);
    } else {
      const asked = { client, parameters };
      const found = await findList(options, terminal, shown, { ...asked, notes });
      if (options.json) printJson(found, leftOut, terminal);
      else await shown.print(found, asked);
    }
    return standing.length === 0 ? 0 : 1;
  });
}

async function findList<Path extends ListPath>(
  { json }: ListOptions,
  terminal: Terminal,
  { path, select, warnings, why }: ListShown<Path>,
  { client, parameters, notes }: Asked & { readonly notes: readonly Note[] },
): Promise<Found<Answers[`GET ${Path}`]>> {
  const answer = await client.getAll(path, parameters);
  const own = warnings?.(answer) ?? [];
  const isTold = answer.rows.length > 0 || own.length > 0 || json === true;
  return {
    answer: select?.(answer) ?? answer,
    notes: [...notes, ...own, ...hiddenNameNotes(answer)],
    empty: isTold ? null : await why(client, parameters),
    importing: await readImporting(terminal, client),
    source: client.source,
  };
}

/** What `(other)` stands for. */
function hiddenNameNotes(answer: object): readonly Note[] {
  const { hiddenNames = 0 } = answer as { readonly hiddenNames?: number };
  if (hiddenNames === 0) return [];
  const text =
    `(other) stands for ${countOf(hiddenNames, 'name')}: of a user with very many, those with ` +
    'the largest sums have rows; a filter by name finds the others';
  return [{ is: 'warning', text }];
}

function printJson(
  { answer, notes, importing }: Found<object>,
  leftOut: LeftOut | null,
  terminal: Terminal,
): void {
  const { next: _, ...rest } = answer as { readonly next?: unknown };
  terminal.printJson({
    ...rest,
    ...(leftOut === null ? {} : { leftOut }),
    ...warningTexts(notes),
    ...importingJson(importing),
  });
}
