import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { UsageError } from '../command.ts';
import type { FileExporter, FileExportOptions } from '../exports/exporter.ts';

interface ExportCommandOptions extends FileExportOptions {
  readonly focus?: true;
  readonly parquet?: true;
  readonly json?: true;
}

/**
 * `pi-ledger export`: writes the log's events as NDJSON, which `import-events` reads, or what they
 * come to, for other programs: FOCUS in CSV, usage as Parquet.
 */
export const exportCommand: CliCommand = {
  examples: {
    export: [
      ['pi-ledger export events.ndjson', 'every event'],
      ['pi-ledger export --focus --since 2026-10-01 costs.csv', 'costs in the format of FOCUS'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('export')
      .description('write all events as NDJSON, or usage as FOCUS (CSV) or Parquet')
      .argument('[file]', 'the file to write, complete or not at all; -: standard output', '-')
      .option('--focus', 'costs and usage by day as FOCUS 1.2, in CSV')
      .option('--parquet', 'usage by hour and session as Parquet')
      .option('--since <moment>', 'only from this day or instant on')
      .option('--until <moment>', 'only up to and including this day, or before this instant')
      .option('--json', 'print a JSON summary of the file')
      .action(async (file: string, options: ExportCommandOptions) => {
        exit(await exportTo(file, options, terminal));
      });
  },
};

async function exportTo(
  file: string,
  options: ExportCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const exporter = await loadExporter(file, options);
  const { exportInto } = await import('../exports/into.ts');
  return exportInto({ file, options }, exporter, terminal);
}

async function loadExporter(
  file: string,
  { focus, parquet }: ExportCommandOptions,
): Promise<FileExporter> {
  if (focus && parquet) throw new UsageError('--focus, --parquet: one of them, not both.');
  if (parquet && file === '-') throw new UsageError('--parquet: give the name of a file to write.');
  if (focus) return (await import('../exports/focus.ts')).exportFocus;
  if (parquet) return (await import('../exports/parquet.ts')).exportParquet;
  return (await import('../exports/events.ts')).exportAllEvents;
}
