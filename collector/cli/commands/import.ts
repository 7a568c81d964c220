import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { homeFiles } from '../../config/home-files.ts';
import { defaultRoots } from '../../importers/default-roots.ts';
import type { Root } from '../../importers/importer.ts';
import { importers } from '../../importers/registry.ts';
import type { ScanOptions, ScanResult } from '../../importers/scan.ts';
import type { Would } from '../client/dry-run.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import {
  addDirectoryOptions,
  type DirectoryOptions,
  directoriesGiven,
} from '../directory-options.ts';
import { formatNames } from '../output/format.ts';
import type { Imported } from '../output/import.ts';
import { sayLine } from '../output/wrap.ts';
import { ownLine } from '../own-line.ts';

interface ImportCommandOptions extends DirectoryOptions {
  readonly dryRun?: true;
  readonly json?: true;
}

/** `pi-ledger import`: turns existing session files into events, each unit of spend once. */
export const importCommand: CliCommand = {
  examples: {
    import: [
      ['pi-ledger import', `all session files of ${formatNames(importers)}`],
      ['pi-ledger import --pi ~/old-sessions --dry-run', 'what a folder would add'],
    ],
  },
  define(program, terminal, exit) {
    const command = program
      .command('import')
      .description(`import the session files of ${formatNames(importers)}; safe to repeat`);
    addDirectoryOptions(command, importers)
      .option('--dry-run', 'show what would be imported, and import nothing')
      .option('--json', 'print JSON')
      .action(async (options: ImportCommandOptions) => {
        const { code, hints } = await importSessions(options, terminal);
        for (const hint of hints) sayLine(terminal, hint);
        exit(code);
      });
  },
};

interface ImportOutcome {
  readonly code: ExitCode;
  /** What to do next, one line each. */
  readonly hints: readonly string[];
}

/** Prints what was imported, or would be. */
export async function importSessions(
  options: ImportCommandOptions,
  terminal: Terminal,
): Promise<ImportOutcome> {
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
  const roots = findRoots(options, terminal, homeDirectory);
  const dryRun = options.dryRun ? createDryRun(config.rules.billing) : null;
  const target =
    dryRun === null
      ? await openImportTarget(config)
      : {
          ...dryRun,
          readLog: nothing,
          readSealedTotals: async () => null,
          withdrawSession: async () => null,
          storeId: await findStoreId(config),
          usage: async () => null,
          close: async () => undefined,
        };
  const sessions = new Set<string>();
  const hints: string[] = [];
  const shown = createImportProgress(terminal);
  try {
    const progress = openProgress({
      path: join(config.home, homeFiles.imports),
      storeId: target.storeId,
      readOnly: dryRun !== null,
    });
    const before = await target.usage();
    const beganMs = performance.now();
    const result = await runScan({
      roots,
      progress,
      accept: frugally(counting(target.accept, sessions), createGarbageCollector(takenBatches)),
      readLog: target.readLog,
      readSealedTotals: target.readSealedTotals,
      withdrawSession: target.withdrawSession,
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
      ...(dryRun === null ? {} : { would: toJson(dryRun.totals()) }),
    };
    if (options.json) {
      terminal.printJson(answer);
    } else {
      const { printDryRun, printImported } = await import('../output/import.ts');
      const { billingQuestion } = await import('../output/billing-question.ts');
      const seconds = (performance.now() - beganMs) / 1_000;
      const after = await target.usage();
      const imported = { result, roots, seconds, before, after, sessions: sessions.size };
      if (dryRun === null) {
        printImported(imported, terminal);
        hints.push(...listHints(imported, billingQuestion(imported, terminal), terminal));
      } else printDryRun(imported, dryRun.totals(), terminal);
    }
    return { code: isIncomplete(result) ? 1 : 0, hints };
  } finally {
    await target.close();
  }
}

function listHints(
  { result }: Pick<Imported, 'result'>,
  question: string | null,
  terminal: Terminal,
): readonly string[] {
  return [
    ...(result.events.new > 0 ? [`next: ${ownLine(terminal, 'report')}`] : []),
    ...(question === null ? [] : [question]),
  ];
}

/** A dry run does not read the log. */
async function* nothing(): AsyncGenerator<never> {
  // Yields nothing.
}

/** Notes the sessions of batches with something new. */
function counting(accept: ScanOptions['accept'], sessions: Set<string>): ScanOptions['accept'] {
  return async (values, texts) => {
    const ack = await accept(values, texts);
    if (ack.accepted > 0) for (const value of values) sessions.add(readSubject(value));
    return ack;
  };
}

function readSubject(value: unknown): string {
  return typeof value === 'object' && value !== null && 'subject' in value
    ? String(value.subject)
    : '';
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
function findRoots(
  options: ImportCommandOptions,
  terminal: Terminal,
  homeDirectory: string,
): readonly Root[] {
  const named = importers.flatMap((importer) =>
    directoriesGiven(options, importer).map((directory) => ({
      importer,
      directory: resolve(directory),
      isNamed: true,
    })),
  );
  return named.length > 0 ? named : defaultRoots(terminal.env, homeDirectory);
}

/** Files or lines that could not be read may hold spend. */
function isIncomplete({ lostCount }: ScanResult): boolean {
  return lostCount > 0;
}

function toJson({ sessions, records, unpricedRecords, ...amounts }: Would): object {
  return {
    ...{ sessions, records, unpricedRecords },
    meteredNanoUsd: String(amounts.meteredNanoUsd),
    subscriptionNanoUsd: String(amounts.subscriptionNanoUsd),
    unknownBillingNanoUsd: String(amounts.unknownBillingNanoUsd),
  };
}
