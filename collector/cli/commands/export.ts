import type { Exported } from '../../transfer/export-events.ts';
import type { CliCommand, Terminal } from '../command.ts';
import { formatCount } from '../output/format.ts';

interface ExportCommandOptions {
  readonly since?: string;
  readonly until?: string;
  readonly json?: true;
}

/** As many as `GET /v1/log` gives at once. */
const pageEvents = 1_000;

/** `pi-ledger export`: the log's events as NDJSON, which `import-events` takes in again. */
export const exportCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('export')
      .description('write the events of the log as NDJSON, one per line, in order')
      .argument(
        '[file]',
        'where to; written beside it and renamed when it is complete; -: standard output',
        '-',
      )
      .option('--since <moment>', 'only events from this day (UTC) or instant on')
      .option(
        '--until <moment>',
        'only events up to this day (UTC, inclusive) or before this instant',
      )
      .option('--json', 'print JSON about the file that was written')
      .action(async (file: string, options: ExportCommandOptions) => {
        await exportTo(file, options, terminal);
        exit(0);
      });
  },
};

async function exportTo(
  file: string,
  { since, until, json }: ExportCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const { resolveMoment } = await import('../period.ts');
  const { openLedgerClient } = await import('../client/ledger-client.ts');
  const { exportEvents } = await import('../../transfer/export-events.ts');
  const { createExportFile } = await import('../../transfer/export-file.ts');

  const moment = (option: string, text: string | undefined) =>
    text === undefined ? undefined : resolveMoment(option, text, terminal.now(), 'UTC');
  const period = { since: moment('since', since), until: moment('until', until) };
  const client = await openLedgerClient(terminal);
  try {
    const readPage = (after: number) =>
      client.getText(`/v1/log?format=ndjson&after=${after}&limit=${pageEvents}`);
    if (file === '-') {
      const exported = await exportEvents({
        readPage,
        period,
        write: (text) => writeOut(text, terminal),
      });
      terminal.complain(`${formatCount(exported.events)} events.`);
      warn(exported, terminal);
      return;
    }
    const written = await createExportFile(file);
    try {
      const exported = await exportEvents({ readPage, period, write: written.write });
      await written.finish();
      terminal.print(
        json
          ? JSON.stringify({ file, ...exported })
          : `${formatCount(exported.events)} events in ${file}.`,
      );
      warn(exported, terminal);
    } catch (error) {
      await written.discard();
      throw error;
    }
  } finally {
    await client.close();
  }
}

function warn({ hasSealed }: Exported, terminal: Terminal): void {
  if (hasSealed)
    terminal.complain(
      'Old history of this ledger is sealed: `import-events` does not bring that back, `pi-ledger copy` does.',
    );
}

async function writeOut(text: string, terminal: Terminal): Promise<void> {
  const error = await terminal.printRows(text);
  if (error !== null) throw notWritten(error);
}

function notWritten(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE'
    ? new Error('Whoever was reading has gone: not all events were written.')
    : error;
}
