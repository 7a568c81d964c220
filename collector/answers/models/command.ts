import type { ModelList } from '@pi-ledger/contract/answers';
import type { Found } from '../../cli/client/found.ts';
import { importingLine } from '../../cli/client/importing.ts';
import { type ListOptions, showList } from '../../cli/client/show-list.ts';
import { whyEmpty } from '../../cli/client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../../cli/command.ts';
import { UsageError } from '../../cli/command.ts';
import { addFilterOptions } from '../../cli/filters.ts';
import { addWideOption, printAnswer } from '../../cli/output/answer.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';
import { modelsByDay } from './days-command.ts';
import { modelsNotes, modelsTable, modelsText, unpricedModels, unpricedNotes } from './print.ts';

type ModelsOptions = ListOptions &
  ShowingOptions & { readonly unpriced?: true; readonly byDay?: true };

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
  return modelsByDay(options, terminal);
}

function models(options: ModelsOptions, terminal: Terminal): Promise<ExitCode> {
  if (options.unpriced && options.csv)
    throw new UsageError('--unpriced: not available with --csv, which has unpricedRecords');
  return showList(options, terminal, {
    path: '/v1/models',
    views: ['sessions', 'timings'],
    isOfSpend: true,
    ...(options.unpriced ? { select: onlyUnpriced } : {}),
    why: (client) => whyEmpty(client, options, terminal),
    print: (found) => print(found, options, terminal),
  });
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
  const full = unpriced ? unpricedModels(answer) : modelsTable(answer);
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
