import type { Exported } from '../../transfer/export-events.ts';
import type { CliCommand, Terminal } from '../command.ts';
import { formatCount } from '../output/format.ts';

interface ExportCommandOptions {
  readonly since?: string;
  readonly until?: string;
  readonly json?: true;
}

/** As many as `GET /v1/log` returns at once. */
const pageEvents = 1_000;

/** `pi-ledger export`: writes the log's events as NDJSON, which `import-events` reads. */
export const exportCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('export')
      .description('write all events as NDJSON, one per line, in order')
      .argument('[file]', 'the file to write, complete or not at all; -: standard output', '-')
      .option('--since <moment>', 'only events from this day (UTC) or instant on')
      .option(
        '--until <moment>',
        'only events up to and including this day (UTC), or before this instant',
      )
      .option('--json', 'print a JSON summary of the file')
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
  const { withLedger } = await import('../client/ledger-client.ts');
  const { exportEvents } = await import('../../transfer/export-events.ts');
  const { createExportFile } = await import('../../transfer/export-file.ts');

  const moment = (option: string, text: string | undefined) =>
    text === undefined ? undefined : resolveMoment(option, text, terminal.now(), 'UTC');
  const period = { since: moment('since', since), until: moment('until', until) };
  await withLedger(terminal, async (client) => {
    const readPage = (after: number) =>
      client.getText(`/v1/log?format=ndjson&after=${after}&limit=${pageEvents}`);
    if (file === '-') {
      const write = (text: string) => writeOut(text, terminal);
      const exported = await exportEvents({ readPage, period, write });
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
  });
}

function warn({ hasSealed }: Exported, terminal: Terminal): void {
  if (hasSealed)
    terminal.complain(
      'Old history of this ledger is sealed. `import-events` does not restore its sums; ' +
        '`pi-ledger copy` does.',
    );
}

async function writeOut(text: string, terminal: Terminal): Promise<void> {
  const error = await terminal.printRows(text);
  if (error !== null) throw notWritten(error);
}

function notWritten(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE'
    ? new Error('The reader closed the pipe: not all events were written.')
    : error;
}
