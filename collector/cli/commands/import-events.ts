import type { ReadStream } from 'node:fs';
import { join } from 'node:path';
import { grouped } from '@pi-ledger/contract/amounts';
import { homeFiles } from '../../config/home-files.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { countOf } from '../output/counts.ts';
import { lateLines } from '../output/late.ts';
import { ownLine } from '../own-line.ts';
import type { EventsImported } from '../transfer/import-events.ts';

/** `pi-ledger import-events`: reads events that `export` wrote. */
export const importEventsCommand: CliCommand = {
  examples: {
    'import-events': [['pi-ledger import-events events.ndjson', 'what another ledger exported']],
  },
  define(program, terminal, exit) {
    program
      .command('import-events')
      .description('import events that `export` wrote; safe to repeat')
      .argument('<file>', 'NDJSON; -: standard input')
      .option('--json', 'print JSON')
      .action(async (file: string, options: { readonly json?: true }) => {
        exit(await importFrom(file, options.json === true, terminal));
      });
  },
};

async function importFrom(file: string, json: boolean, terminal: Terminal): Promise<ExitCode> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { expectEvents, importEvents, lineBytesMax } = await import('../transfer/import-events.ts');
  const { linesIn } = await import('../transfer/line-stream.ts');
  const { openImportTarget } = await import('../client/import-target.ts');
  const { openProgress } = await import('../../importers/progress/progress.ts');

  // Before the store is opened: a mistyped file name has no effect.
  const chunks = file === '-' ? process.stdin : await openFile(file);
  const lines = await expectEvents(linesIn(chunks, lineBytesMax), shownName(file)).catch(
    (error: unknown) => {
      chunks.destroy();
      throw error;
    },
  );
  const config = loadCollectorConfig(terminal.env);
  const target = await openImportTarget(config, 'export');
  const { storeId } = target;
  try {
    const imported = await importEvents({
      lines,
      accept: target.accept,
      readSealedTotals: target.readSealedTotals,
      noteLate(bySession) {
        const progress = openProgress({ path: join(config.home, homeFiles.imports), storeId });
        const source = shownName(file);
        const late = [...bySession].map(([session, events]) => ({ session, events, source }));
        progress.saveLateSessions(late);
        progress.close();
      },
    });
    if (json) terminal.printJson(imported);
    else print(file, imported, terminal);
    return isWhole(imported) ? 0 : 1;
  } finally {
    chunks.destroy();
    await target.close();
  }
}

/** Nothing was refused, or may be in no total. */
function isWhole({ refused, late }: EventsImported): boolean {
  return refused === 0 && late?.events === 0;
}

async function openFile(file: string): Promise<ReadStream> {
  const { open } = await import('node:fs/promises');
  const opened = await open(file);
  if (!(await opened.stat()).isDirectory()) return opened.createReadStream();
  await opened.close();
  throw new Error(`${file} is a folder: give a file that \`pi-ledger export\` wrote.`);
}

function shownName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

function print(
  file: string,
  { lines, accepted, duplicates, expired, late, refused, leftOut, refusedLines }: EventsImported,
  terminal: Terminal,
): void {
  const name = shownName(file);
  for (const { line, code, field, message } of refusedLines)
    terminal.complain(`${name}:${line}: ${code}${field === '' ? '' : ` at ${field}`}: ${message}`);
  if (refused > refusedLines.length)
    terminal.complain(`... and ${grouped(refused - refusedLines.length)} more.`);
  terminal.print(
    lines === 0
      ? `No events in ${name}.`
      : `${countOf(accepted, 'new event')}, ${grouped(duplicates)} already known.`,
  );
  if (expired > 0) for (const line of lateLines(expired, late)) terminal.complain(line);
  if (leftOut > 0)
    terminal.print(
      `${countOf(leftOut, 'event is', 'events are')} about the other ledger's budgets ` +
        'and left out.',
    );
  if (refused > 0)
    terminal.print(
      `${countOf(refused, 'line was', 'lines were')} rejected: ` +
        `\`${ownLine(terminal, 'rejected list')}\` shows them too.`,
    );
}
