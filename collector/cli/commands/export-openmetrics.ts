import type { CliCommand } from '../command.ts';

interface ExportOpenMetricsOptions {
  readonly since: string;
  readonly until?: string;
  readonly output: string;
  readonly json?: true;
}

/** `pi-ledger export-openmetrics`: history for a Prometheus. */
export const exportOpenMetricsCommand: CliCommand = {
  examples: {
    'export-openmetrics': [
      [
        'pi-ledger export-openmetrics --since 90d --output history.txt',
        'for `promtool tsdb create-blocks-from openmetrics history.txt DIRECTORY`',
      ],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('export-openmetrics')
      .description('write what was spent, hour by hour, as OpenMetrics for Prometheus')
      .requiredOption('--since <moment>', 'from this day or instant on')
      .option('--until <moment>', 'only up to and including this day, or before this instant')
      .option(
        '--output <file>',
        'the file to write, complete or not at all; -: standard output',
        '-',
      )
      .option('--json', 'print a JSON summary of the file')
      .action(async ({ output, ...options }: ExportOpenMetricsOptions) => {
        const { exportInto } = await import('../exports/into.ts');
        const { exportOpenMetrics } = await import('../exports/openmetrics.ts');
        const target = { file: output, options, hasNoEscapes: true };
        exit(await exportInto(target, exportOpenMetrics, terminal));
      });
  },
};
