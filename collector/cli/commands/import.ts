import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Issue } from '../../importers/issues.ts';
import type { ScanOptions, ScanResult } from '../../importers/scan.ts';
import type { Root } from '../../importers/walk.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { addDirectoryOptions, type DirectoryOptions } from '../directory-options.ts';
import { formatCount, formatNanoUsd } from '../output/format.ts';
import { countOf } from '../output/usage-table.ts';

interface ImportCommandOptions extends DirectoryOptions {
  readonly dryRun?: true;
  readonly json?: true;
}

/** `pi-ledger import`: turns existing session files into events, each unit of spend once. */
export const importCommand: CliCommand = {
  define(program, terminal, exit) {
    const command = program
      .command('import')
      .description('import the session files of pi and omp; safe to repeat');
    addDirectoryOptions(command)
      .option('--dry-run', 'show what would be imported, and import nothing')
      .option('--json', 'print JSON')
      .action(async (options: ImportCommandOptions) => {
        exit(await importSessions(options, terminal));
      });
  },
};

async function importSessions(
  options: ImportCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { findStoreId, openImportTarget } = await import('../client/import-target.ts');
  const { createDryRun } = await import('../client/dry-run.ts');
  const { createImportProgress } = await import('../output/import-progress.ts');
  const { openProgress } = await import('../../importers/progress/progress.ts');
  const { runScan } = await import('../../importers/scan.ts');
  const { createGarbageCollector, takenBatches } = await import(
    '../../importers/threads/collect-garbage.ts'
  );
  const { version } = await import('../version.ts');

  const config = loadCollectorConfig(terminal.env);
  const homeDirectory = terminal.env.HOME || homedir();
  const roots = await rootsOf(options, terminal, homeDirectory);
  const dryRun = options.dryRun ? createDryRun() : null;
  const target =
    dryRun === null
      ? await openImportTarget(config)
      : {
          ...dryRun,
          readLog: nothing,
          storeId: await findStoreId(config),
          close: async () => undefined,
        };
  const shown = createImportProgress(terminal);
  try {
    const progress = openProgress({
      path: join(config.home, 'imports.db'),
      storeId: target.storeId,
      readOnly: dryRun !== null,
    });
    const result = await runScan({
      roots,
      progress,
      accept: frugally(target.accept, createGarbageCollector(takenBatches)),
      readLog: target.readLog,
      homeDirectory,
      auditContent: config.auditContent,
      version,
      now: () => terminal.now().getTime(),
      quietMs: 0,
      onProgress: shown.show,
    }).finally(() => {
      shown.end();
      progress.close();
    });
    const answer = {
      dryRun: dryRun !== null,
      ...result,
      ...(dryRun === null ? {} : { would: jsonOf(dryRun.totals()) }),
    };
    if (options.json) terminal.printJson(answer);
    else print(result, dryRun?.totals() ?? null, roots, terminal);
    return isIncomplete(result) ? 1 : 0;
  } finally {
    await target.close();
  }
}

/** A dry run does not read the log. */
async function* nothing(): AsyncGenerator<never> {
  // Yields nothing.
}

/** Keeps memory flat however much is imported. */
function frugally(
  accept: ScanOptions['accept'],
  collectGarbage: (bytes: number) => void,
): ScanOptions['accept'] {
  return async (values, texts) => {
    const ack = await accept(values, texts);
    collectGarbage(texts.reduce((chars, text) => chars + text.length, 0));
    return ack;
  };
}

/** The directories given, or the usual ones. */
async function rootsOf(
  options: ImportCommandOptions,
  terminal: Terminal,
  homeDirectory: string,
): Promise<readonly Root[]> {
  const { defaultRoots, importers } = await import('../../importers/registry.ts');
  const named = importers.flatMap((importer) =>
    options[importer.name].map((directory) => ({
      importer,
      directory: resolve(directory),
      isNamed: true,
    })),
  );
  return named.length > 0 ? named : defaultRoots(terminal.env, homeDirectory);
}

/** Files could not be read, lines may hold spend, or there was nothing to read but problems. */
function isIncomplete({ files, issueCount, lostCount }: ScanResult): boolean {
  const isNothingRead = files.read + files.unchanged + files.leftAlone === 0;
  return files.failed > 0 || lostCount > 0 || (isNothingRead && issueCount > 0);
}

type Would = ReturnType<ReturnType<typeof import('../client/dry-run.ts').createDryRun>['totals']>;

function jsonOf({ nanoUsd, ...counts }: Would) {
  return { ...counts, nanoUsd: String(nanoUsd) };
}

function print(
  result: ScanResult,
  would: Would | null,
  roots: readonly Root[],
  terminal: Terminal,
): void {
  const { files, bytes, events } = result;
  if (result.wasPutBack)
    terminal.complain(
      'The ledger was restored to an earlier state: all session files are read again.',
    );
  for (const issue of result.issues) terminal.complain(lineOf(issue));
  if (result.issueCount > result.issues.length)
    terminal.complain(`... and ${formatCount(result.issueCount - result.issues.length)} more.`);
  if (files.found === 0) {
    terminal.print(`No session files in ${roots.map(({ directory }) => directory).join(', ')}.`);
    return;
  }
  const read = `${formatCount(files.read)} read (${(bytes / 1e6).toFixed(1)} MB)`;
  terminal.print(
    `${countOf(files.found, 'file')}: ${read}, ${formatCount(files.unchanged)} unchanged.`,
  );
  if (files.failed > 0) terminal.print(`${countOf(files.failed, 'file')} could not be read.`);
  if (result.lostCount > 0) terminal.complain(lostLine(result.lostCount));
  for (const line of would === null ? takenLines(events) : wouldLines(events.new, would))
    terminal.print(line);
}

function lostLine(count: number): string {
  return `${formatCount(count)} of these may contain spend that is missing from the totals.`;
}

function takenLines({ new: fresh, known, expired, rejected }: ScanResult['events']): string[] {
  const lines = [`${countOf(fresh, 'new event')}, ${formatCount(known)} already known.`];
  if (expired > 0)
    lines.push(
      `${countOf(expired, 'event is', 'events are')} older than the seal and left out ` +
        '(their history was deleted).',
    );
  if (rejected > 0)
    lines.push(
      `${countOf(rejected, 'event was', 'events were')} rejected: ` +
        '`pi-ledger rejected list` says why.',
    );
  return lines;
}

/** A dry run does not read the log, so it counts events that a live session already sent. */
function wouldLines(events: number, { sessions, records, nanoUsd }: Would): string[] {
  const spend = `${countOf(records, 'record')} of spend, ${formatNanoUsd(nanoUsd, 2)}`;
  const lines = [
    `Nothing was written. An import would add ${countOf(events, 'event')} of ` +
      `${countOf(sessions, 'session')}: ${spend}.`,
  ];
  return events === 0
    ? lines
    : [
        ...lines,
        'Events that the ledger already has, from a live session for example, do not count again.',
      ];
}

function lineOf({ file, line, message }: Issue): string {
  return `${file}${line === null ? '' : `:${line}`}: ${message}`;
}
