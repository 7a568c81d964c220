import type { ModelList } from '@pi-ledger/contract/answers';
import type { Found } from '../client/found.ts';
import { importingJson, importingLine, readImporting } from '../client/importing.ts';
import { type LedgerClient, withLedger } from '../client/ledger-client.ts';
import { leftOutNotes, readLeftOut } from '../client/left-out.ts';
import { complainOf, standingNotes, warningTexts } from '../client/standing.ts';
import { unknownNotes } from '../client/unknown-names.ts';
import { whyEmpty } from '../client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { UsageError } from '../command.ts';
import { addFilterOptions, type FilterOptions, filterParameters } from '../filters.ts';
import { addWideOption, type Note, printAnswer } from '../output/answer.ts';
import {
  modelsNotes,
  modelsTable,
  modelsText,
  unpricedNotes,
  unpricedTable,
} from '../output/answers/models.ts';
import { firstLine } from '../output/first-line.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../sharing/showing.ts';

type ModelsOptions = FilterOptions &
  ShowingOptions & { readonly unpriced?: true; readonly byDay?: true; readonly wide?: true };

/** `pi-ledger models`: which model is slow, fails or is expensive. */
export const modelsCommand: CliCommand = {
  examples: {
    models: [
      ['pi-ledger models --since 30d', 'price, speed and errors of each model'],
      ['pi-ledger models --by-day --since 7d', 'whether one has become slower'],
      ['pi-ledger models --unpriced', 'models that have no price'],
    ],
  },
  define(program, terminal, exit) {
    const command = program
      .command('models')
      .description('show how fast and how reliably models answered, and what they cost')
      .option('--unpriced', 'only models that have records without a price')
      .option('--by-day', 'day by day: attempts, speed and errors, no costs')
      .option('--json', 'print JSON (amounts are decimal strings of 10^-9 USD)')
      .option('--csv', 'print CSV');
    const names = ['project', 'user', 'model', 'host', 'provider'] as const;
    addFilterOptions(addShowingOptions(addWideOption(command)), [], names).action(
      async (options: ModelsOptions) => {
        exit(await showing(options, terminal, (shown) => answerOf(options, shown)));
      },
    );
  },
};

async function answerOf(options: ModelsOptions, terminal: Terminal): Promise<ExitCode> {
  if (!options.byDay) return models(options, terminal);
  if (options.unpriced) throw new UsageError('--unpriced, --by-day: one of them, not both.');
  const { modelsByDay } = await import('./models-by-day.ts');
  return modelsByDay(options, terminal);
}

async function models(options: ModelsOptions, terminal: Terminal): Promise<ExitCode> {
  if (options.unpriced && options.csv)
    throw new UsageError('--unpriced: not available with --csv, which has unpricedRecords');
  const parameters = filterParameters(options, terminal.now());
  return withLedger(terminal, async (client) => {
    const standing = await notesOf(client);
    const leftOut = leftOutNotes(await readLeftOut(terminal, client));
    const notes = [...standing, ...leftOut, ...(await unknownNotes(client, options))];
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/models', parameters));
      complainOf(notes, terminal);
    } else {
      const answer = await client.getAll('/v1/models', parameters);
      const isEmpty = answer.rows.length === 0 && !options.json;
      const empty = isEmpty ? await whyEmpty(client, options, terminal) : null;
      const shown = options.unpriced ? onlyUnpriced(answer) : answer;
      const { rows, total } = shown;
      const importing = await readImporting(terminal, client);
      const found = { answer: shown, notes, empty, importing, source: client.source };
      if (options.json)
        terminal.printJson({ rows, total, ...warningTexts(notes), ...importingJson(importing) });
      else print(found, options, terminal);
    }
    return standing.length === 0 ? 0 : 1;
  });
}

/** Amounts and durations are of different views. */
async function notesOf(client: LedgerClient): Promise<readonly Note[]> {
  const notes = [...(await standingNotes(client)), ...(await standingNotes(client, 'timings'))];
  return notes.filter(({ text }, index) => notes.findIndex((each) => each.text === text) === index);
}

function onlyUnpriced({ rows, ...answer }: ModelList): ModelList {
  return { ...answer, rows: rows.filter(({ unpricedRecords }) => unpricedRecords > 0) };
}

function print(
  { answer, notes, empty, importing, source }: Found<ModelList>,
  options: ModelsOptions,
  terminal: Terminal,
): void {
  const { unpriced, wide } = options;
  const isEmpty = answer.rows.length === 0;
  const full = unpriced ? unpricedTable(answer) : modelsTable(answer);
  const own = unpriced ? unpricedNotes : modelsNotes(answer);
  const what = unpriced ? `${modelsText(answer)} without a price` : 'by model';
  printAnswer(terminal, {
    importing: importingLine(importing, terminal),
    first: firstLine(options, terminal, { what, source }),
    body: [isEmpty ? (empty ?? 'Every record has a price.') : full],
    notes: [...notes, ...(isEmpty ? [] : own)],
    wide,
  });
}
