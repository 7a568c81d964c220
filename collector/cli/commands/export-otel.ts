import type { CliCommand } from '../command.ts';

interface ExportOtelOptions {
  readonly since: string;
  readonly until?: string;
  readonly json?: true;
}

/** `pi-ledger export-otel`: sends history by OTLP. */
export const exportOtelCommand: CliCommand = {
  examples: {
    'export-otel': [
      [
        'OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 pi-ledger export-otel --since 7d',
        'spans and log records of the last week; what is there already keeps its ids',
      ],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('export-otel')
      .description('send the spans and log records of a period by OTLP')
      .requiredOption('--since <moment>', 'from this day (UTC) or instant on')
      .option('--until <moment>', 'only up to and including this day, or before this instant')
      .option('--json', 'print a JSON summary')
      .action(async (options: ExportOtelOptions) => {
        const { exportOtel } = await import('../exports/otel.ts');
        exit(await exportOtel(options, terminal));
      });
  },
};
