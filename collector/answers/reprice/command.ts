import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileReason } from '@pi-ledger/core/machine/file-reason';
import { withLedger } from '../../cli/client/ledger-client.ts';
import { whyEmpty } from '../../cli/client/why-empty.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../../cli/command.ts';
import { addUsageFilterOptions, type FilterOptions, filterParameters } from '../../cli/filters.ts';
import { addByOption, type ByOption, byOf, titleOf } from '../../cli/groupings.ts';
import { addWideOption } from '../../cli/output/answer.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { printRepriced } from './print.ts';

type RepriceOptions = FilterOptions &
  ByOption & {
    readonly catalog: string;
    readonly wide?: true;
    readonly json?: true;
  };

/**
 * `pi-ledger reprice`: what the same tokens would have cost under another price list. The recorded
 * amounts do not change.
 */
export const repriceCommand: CliCommand = {
  examples: {
    reprice: [
      ['pi-ledger reprice --catalog api.json --by model', 'the same tokens at other prices'],
    ],
  },
  define(program, terminal, exit) {
    const command = program
      .command('reprice')
      .description(
        'show what the same tokens would have cost under another price list; changes nothing',
      )
      .requiredOption('--catalog <file>', "a price list in the format of models.dev's api.json")
      .option('--json', 'print JSON (amounts are decimal strings of 10^-9 USD)');
    addUsageFilterOptions(addWideOption(addByOption(command))).action(
      async (options: RepriceOptions) => {
        exit(await reprice(options, terminal));
      },
    );
  },
};

async function reprice(options: RepriceOptions, terminal: Terminal): Promise<ExitCode> {
  const parameters = filterParameters(options, terminal.now());
  parameters.set('by', byOf(options));
  parameters.set('limit', String(rowsMax));
  const catalogue = await readFile(options.catalog);
  const name = basename(options.catalog);
  await withLedger(terminal, async (client) => {
    const answer = await client.post('/v1/reprice', catalogue, { query: parameters });
    if (options.json) return terminal.printJson(answer);
    const what = `by ${answer.by.map(titleOf).join(', ')} · repriced by ${name}`;
    const first = firstLine(options, terminal, { what, source: client.source });
    const isEmpty = answer.rows.length === 0 && answer.sealedRecords === 0;
    const empty = isEmpty ? await whyEmpty(client, options, terminal) : 'Nothing can be repriced.';
    printRepriced(answer, name, terminal, { first, wide: options.wide, empty });
  });
  return 0;
}

const rowsMax = 10_000;

/** Checked here first, so that problems name the file; only the prices are sent. */
async function readFile(path: string): Promise<object> {
  const { readCatalogue } = await import('./catalogue.ts');
  const given = parse(path);
  const read = readCatalogue(given);
  if (read.is === 'read') return pricesOf(given);
  const problems = read.problems.map(
    ({ place, message }) => `${path}: ${place === '' ? '' : `${place}: `}${message}`,
  );
  throw new UsageError('the price list cannot be used', problems);
}

/** All of models.dev is a few MB. */
const fileBytesMax = 64 * 1024 * 1024;

function parse(path: string): unknown {
  try {
    if (statSync(path).size > fileBytesMax)
      throw new RangeError(`it is larger than ${fileBytesMax} bytes`);
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { message } = error as Error;
    const reason =
      error instanceof SyntaxError
        ? `is not JSON: ${message}`
        : `cannot be read: ${fileReason(error) ?? message}`;
    throw new UsageError(`--catalog: ${path} ${reason}`);
  }
}

type Catalogue = Readonly<
  Record<string, { readonly models: Readonly<Record<string, { readonly cost?: unknown }>> }>
>;

function pricesOf(given: unknown): object {
  const providers = Object.entries(given as Catalogue).map(([id, { models }]) => {
    const costs = Object.entries(models).map(([model, { cost }]) => [model, { cost }] as const);
    return [id, { models: Object.fromEntries(costs) }] as const;
  });
  return Object.fromEntries(providers);
}
