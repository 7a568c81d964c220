import { grouped } from '@pi-ledger/contract/amounts';
import type { CompactionList } from '@pi-ledger/contract/answers';
import { importingJson, importingLine, readImporting } from '../../cli/client/importing.ts';
import { type LedgerClient, withLedger } from '../../cli/client/ledger-client.ts';
import { showAnswer } from '../../cli/client/show-answer.ts';
import { complainAbout, standingNotes, warningTexts } from '../../cli/client/standing.ts';
import { neverSeen, unknownNames, unknownNotes } from '../../cli/client/unknown-names.ts';
import { nothingRecorded } from '../../cli/client/why-empty.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../../cli/command.ts';
import {
  addFilterOptions,
  addLabelOption,
  type FilterOptions,
  filterParameters,
} from '../../cli/filters.ts';
import { addWideOption } from '../../cli/output/answer.ts';
import type { Note } from '../../cli/output/answer-parts.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { expectTimeZone } from '../../cli/period.ts';
import { expectRowLimit, rowLimitMax } from '../../cli/row-limit.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';

type CompactionsOptions = FilterOptions &
  ShowingOptions & {
    readonly session?: readonly string[];
    readonly trigger?: readonly string[];
    readonly limit: string;
    readonly didNotPay?: true;
    readonly wide?: true;
  };

interface ShowOptions {
  readonly timezone?: string;
  readonly json?: true;
}

/** `pi-ledger compactions`: what each one dropped, cost and saved; `show` prints all about one. */
export const compactionsCommand: CliCommand = {
  examples: {
    compactions: [
      ['pi-ledger compactions --since 7d', 'what each one dropped, cost and saved'],
      ['pi-ledger compactions --did-not-pay', 'those that cost more than they saved'],
    ],
    'compactions show': [['pi-ledger compactions show 01a2092e', 'all about one']],
  },
  define(program, terminal, exit) {
    const compactions = program
      .command('compactions')
      .description(
        'show what compactions dropped, cost and saved, and what was read again afterwards',
      )
      .option('--session <id...>', 'only of this session: its id, the start of its id, or `last`')
      .option(
        '--trigger <name...>',
        'only those triggered by this: manual, threshold, overflow, ...',
      )
      .option('--did-not-pay', 'only those that cost more than they saved')
      .option('--limit <n>', `rows of the table, at most ${grouped(rowLimitMax)}`, '20')
      .option(
        '--timezone <name>',
        "show days and times in this zone (Europe/Berlin), not each spender's days and your times",
      )
      .option('--json', 'print JSON: all rows and their totals')
      .option('--csv', 'print CSV: all rows');
    const kinds = ['compaction', 'branchSummary', 'failure'];
    const shown = addShowingOptions(addWideOption(compactions));
    addLabelOption(addFilterOptions(shown, kinds)).action(async (options: CompactionsOptions) => {
      exit(await showing(options, terminal, (on) => list(options, on)));
    });
    compactions
      .command('show')
      .description('show everything known about one compaction')
      .argument('<id>', 'its id or the start of it, or the id of its entry in the session file')
      .option('--timezone <name>', 'show times in this zone (Europe/Berlin), not in yours')
      .option('--json', 'print JSON')
      .action(
        async (id: string, _options: ShowOptions, command: { optsWithGlobals(): ShowOptions }) => {
          exit(await show(id, command.optsWithGlobals(), terminal));
        },
      );
  },
};

/** What rows of the audit are made of. */
const views = ['sessions', 'context', 'compactions'];

async function list(options: CompactionsOptions, terminal: Terminal): Promise<ExitCode> {
  const limit = expectRowLimit(options.limit);
  const parameters = filterParameters(options, terminal.now());
  for (const session of options.session ?? []) parameters.append('session', session);
  if (options.didNotPay) parameters.set('net', 'negative');
  for (const trigger of options.trigger ?? []) parameters.append('trigger', trigger);
  return withLedger(terminal, async (client) => {
    const standing = await standingNotes(client, views);
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/compactions', parameters));
      complainAbout([...standing, ...(await unknownNotes(client, namesOf(options)))], terminal);
    } else if (options.json) {
      const { next: _, ...answer } = await client.getAll('/v1/compactions', parameters);
      const importing = await readImporting(terminal, client);
      const notes = [...standing, ...(await unknownNotes(client, namesOf(options)))];
      terminal.printJson({ ...answer, ...warningTexts(notes), ...importingJson(importing) });
    } else {
      parameters.set('limit', String(limit));
      const answer = await client.get('/v1/compactions', { query: parameters });
      await print(answer, { options, terminal, client, standing });
    }
    return standing.length === 0 ? 0 : 1;
  });
}

interface Asking {
  readonly options: CompactionsOptions;
  readonly terminal: Terminal;
  readonly client: LedgerClient;
  readonly standing: readonly Note[];
}

async function print(
  answer: CompactionList,
  { options, terminal, client, standing }: Asking,
): Promise<void> {
  const isEmpty = answer.rows.length === 0;
  const nothing = isEmpty ? await nothingRecorded(client, terminal) : null;
  if (isEmpty && nothing === null) await expectKnown(client, options);
  const { printCompactions } = await import('./print/table.ts');
  const what = options.didNotPay ? 'that cost more than they saved' : 'newest first';
  printCompactions(answer, terminal, {
    importing: importingLine(await readImporting(terminal, client), terminal),
    first: firstLine(options, terminal, { what, source: client.source }),
    ...(nothing === null ? {} : { nothing }),
    notes: [...standing, ...(isEmpty ? [] : await unknownNotes(client, namesOf(options)))],
    wide: options.wide,
    timeZone: options.timezone,
  });
}

/** Throws a UsageError that lists what exists. */
async function expectKnown(client: LedgerClient, options: CompactionsOptions): Promise<void> {
  const unknown = [...(await unknownNames(client, namesOf(options)))];
  const triggers = options.trigger ?? [];
  if (triggers.length > 0) {
    const { rows } = await client.getAll('/v1/compactions');
    const known = new Set(rows.flatMap(({ trigger }) => trigger ?? []));
    const never = triggers.filter((each) => !known.has(each));
    if (never.length > 0 && known.size > 0)
      unknown.push(neverSeen('trigger', never, { title: 'Triggers', known: [...known] }));
  }
  if (unknown.length > 0) throw new UsageError(unknown.join('; '));
}

/** Kinds of compactions are not those of spend. */
function namesOf({ kind: _, ...names }: CompactionsOptions): FilterOptions {
  return names;
}

async function show(
  id: string,
  { timezone, json }: ShowOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const timeZone = expectTimeZone(timezone);
  return showAnswer({ json }, terminal, {
    views,
    ask: (client) => client.get('/v1/compactions/{id}', { params: { id } }),
    async print(row, warnings) {
      const { printCompaction } = await import('./print/details.ts');
      printCompaction(row, terminal, timeZone);
      complainAbout(warnings, terminal);
    },
  });
}
