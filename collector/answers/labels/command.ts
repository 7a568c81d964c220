import { readLabelWords } from '@pi-ledger/contract/settings/labels';
import { withLedger } from '../../cli/client/ledger-client.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../../cli/command.ts';
import { resolvePeriod } from '../../cli/period.ts';

const filterNames = ['project', 'branch', 'user', 'machine', 'host', 'provider', 'model'] as const;

type LabelOptions = { readonly [name in (typeof filterNames)[number]]?: string } & {
  readonly since?: string;
  readonly until?: string;
  readonly dryRun?: true;
  readonly json?: true;
};

/** `pi-ledger label`: labels records after the fact. */
export const labelCommand: CliCommand = {
  examples: {
    label: [['pi-ledger label team=checkout --project shop --since 7d', 'label what was spent']],
  },
  define(program, terminal, exit) {
    const command = program
      .command('label')
      .description('label what was spent, after the fact')
      .argument('<key=value...>', 'labels to set; KEY= takes back what was said after the fact')
      .option('--since <when>', 'from this day or minute on: 2026-11-22, 2026-11-22T14:30:00Z, 7d')
      .option('--until <when>', 'up to and including this day, or up to this minute');
    for (const name of filterNames) command.option(`--${name} <name>`, `only this ${name}`);
    command
      .option('--dry-run', 'show what would be labelled, and label nothing')
      .option('--json', 'print JSON')
      .action(async (words: readonly string[], options: LabelOptions) => {
        exit(await label(words, options, terminal));
      });
  },
};

async function label(
  words: readonly string[],
  { dryRun, json, since, until, ...names }: LabelOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const labels = readLabelWords(words);
  if (typeof labels === 'string') throw new UsageError(labels);
  if (since === undefined && until === undefined && Object.keys(names).length === 0)
    throw new UsageError(
      `which records: name at least one of --since, --until, --${filterNames.join(', --')}`,
    );
  const period = resolvePeriod({ since, until }, terminal.now());
  const answer = await withLedger(terminal, (client) =>
    client.post('/v1/labels', {
      labels,
      ...names,
      ...period,
      dryRun: dryRun === true,
    }),
  );
  if (json) terminal.printJson(answer);
  else (await import('./print.ts')).printLabelled(answer, terminal, labels, dryRun === true);
  return 0;
}
