import type { Insight } from '@pi-ledger/contract/answers';
import { importingJson, readImporting } from '../../cli/client/importing.ts';
import { type LedgerClient, withLedger } from '../../cli/client/ledger-client.ts';
import { standingNotes, warningTexts } from '../../cli/client/standing.ts';
import { unknownNotes } from '../../cli/client/unknown-names.ts';
import { nothingRecorded } from '../../cli/client/why-empty.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../../cli/command.ts';
import { addLabelOption, type FilterOptions, filterParameters } from '../../cli/filters.ts';
import { addWideOption } from '../../cli/output/answer.ts';
import { ownLine } from '../../cli/own-line.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';

type InsightsFilters = Pick<FilterOptions, (typeof filterNames)[number] | 'label' | 'until'>;

interface InsightsOptions extends InsightsFilters, ShowingOptions {
  readonly since?: string;
  readonly limit: string;
  readonly wide?: true;
}

/** `pi-ledger insights`: what changed and what it cost; `hide` switches one off. */
export const insightsCommand: CliCommand = {
  examples: {
    insights: [['pi-ledger insights --since 7d', 'what changed, and what it cost']],
    'insights hide': [['pi-ledger insights hide 7c1e', 'not this one again']],
    'insights unhide': [['pi-ledger insights unhide 7c1e', 'again after all']],
    'insights show-hidden': [['pi-ledger insights show-hidden', 'what was hidden']],
  },
  define(program, terminal, exit) {
    const insights = program
      .command('insights')
      .description('show what changed and what it cost, with the rows behind it')
      .option('--since <when>', 'from this day on: 2026-11-22, today, 7d (default: 30d)')
      .option('--until <when>', 'up to and including this day; today is compared until this hour')
      .option('--limit <n>', `the most of each kind of billing, up to ${limitMax}`, '10')
      .option('--json', 'print JSON');
    for (const name of filterNames)
      insights.option(`--${name} <name...>`, `only this ${name}, or any of several`);
    const shown = addShowingOptions(addWideOption(insights));
    addLabelOption(shown).action(async (options: InsightsOptions) => {
      exit(await showing(options, terminal, (on) => list(options, on)));
    });
    insights
      .command('hide')
      .description('hide an insight from now on, here and on the page')
      .argument('<id>', 'its id or the start of it')
      .action(async (id: string) => exit(await hide(id, true, terminal)));
    insights
      .command('unhide')
      .description('show a hidden insight again')
      .argument('<id>', 'its id or the start of it')
      .action(async (id: string) => exit(await hide(id, false, terminal)));
    insights
      .command('show-hidden')
      .description('show those that are hidden')
      .action(async (_options: object, command: { optsWithGlobals(): InsightsOptions }) => {
        exit(await listHidden(command.optsWithGlobals(), terminal));
      });
  },
};

const limitMax = 100;

async function list(options: InsightsOptions, terminal: Terminal): Promise<ExitCode> {
  return withLedger(terminal, async (client) => {
    const standing = await standingNotes(client);
    const warnings = [...standing, ...(await unknownNotes(client, options))];
    const importing = await readImporting(terminal, client);
    const answer = await client.get('/v1/insights', { query: queryOf(options, terminal) });
    if (options.json)
      terminal.printJson({ ...answer, ...warningTexts(warnings), ...importingJson(importing) });
    else {
      const nothing = answer.rows.length === 0 ? await nothingRecorded(client, terminal) : null;
      const { printInsights } = await import('./print.ts');
      printInsights(answer, terminal, {
        wide: options.wide,
        asked: options,
        ...{ warnings, importing },
        ...(nothing === null ? {} : { nothing }),
        source: client.source,
      });
    }
    return standing.length > 0 ? 1 : 0;
  });
}

async function listHidden(options: InsightsOptions, terminal: Terminal): Promise<ExitCode> {
  const answer = await withLedger(terminal, (client) => all(client, queryOf(options, terminal)));
  const rows = answer.rows.filter(({ hidden }) => hidden);
  if (options.json) terminal.printJson({ ...answer, rows });
  else {
    const { printInsights } = await import('./print.ts');
    printInsights({ ...answer, rows, rowsLeftOut: 0, leftOut: [], readAt: null }, terminal, {
      wide: options.wide,
      areHidden: true,
    });
  }
  return 0;
}

async function hide(text: string, hidden: boolean, terminal: Terminal): Promise<ExitCode> {
  const found = await withLedger(terminal, async (client) => {
    const { rows } = await all(client, new URLSearchParams());
    const insight = matching(rows, text);
    await client.post(
      '/v1/insights/{id}/hidden',
      { hidden },
      { params: { id: insight?.id ?? text } },
    );
    return insight;
  });
  const title = found === null ? text : `${found.id} (${found.title})`;
  const back = ownLine(terminal, `insights unhide ${text}`);
  terminal.print(hidden ? `hidden: ${title}; back: ${back}` : `shown again: ${title}`);
  return 0;
}

/** Returns null for a whole id that no row has; throws a UsageError for other unclear text. */
function matching(rows: readonly Insight[], text: string): Insight | null {
  const found = rows.filter(({ id }) => text !== '' && id.startsWith(text));
  const [only = null, ...others] = found;
  if (others.length > 0)
    throw new UsageError(
      `"${text}" is the start of several insights: ${found.map(({ id }) => id).join(', ')}`,
    );
  if (only === null && !/^[0-9a-f]{8}$/.test(text))
    throw new UsageError(`no insight of the last 30 days has an id that starts with "${text}"`);
  return only;
}

function all(client: LedgerClient, query: URLSearchParams) {
  query.set('hidden', 'include');
  query.set('limit', String(limitMax));
  return client.get('/v1/insights', { query });
}

const filterNames = ['project', 'user', 'provider', 'model', 'host'] as const;

function queryOf({ limit, ...options }: InsightsOptions, terminal: Terminal): URLSearchParams {
  const query = filterParameters(options, terminal.now());
  for (const bound of ['since', 'until'] as const) {
    const day = query.get(bound);
    if (day !== null && day.length !== 10)
      throw new UsageError(`--${bound}: expected a day, got "${options[bound]}"`);
  }
  const rows = Number(limit);
  if (!Number.isInteger(rows) || rows < 1 || rows > limitMax)
    throw new UsageError(`--limit: expected a whole number from 1 to ${limitMax}, got "${limit}"`);
  query.set('limit', String(rows));
  return query;
}
