/**
 * Imports session files while the collector runs: existing ones on the first run, then what
 * changes.
 *
 * Everything happens in the background, and the code for it is loaded only then, after the
 * collector is ready. A file that changed within the last 30 seconds is left to the live extension
 * and read once it is unchanged for that long. A pass that fails is reported; the next one runs all
 * the same.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../config/config.ts';
import { homeFiles } from '../config/home-files.ts';
import { defaultRoots } from '../importers/default-roots.ts';
import type { ScanCounts } from '../importers/progress/scans.ts';
import type { ScanOptions, ScanResult } from '../importers/scan.ts';
import { repeatEvery } from '../timers/repeat.ts';

export interface SessionWatch {
  /** Ends the pass under way; its progress so far is kept. Never rejects. */
  stop(): Promise<void>;
}

/** Where session files are found, and where the first import is announced. */
export interface WatchedSessions {
  readonly environment: Environment;
  print(line: string): void;
  /** How the first import goes, for a terminal. */
  readonly progress?: { show(counts: ScanCounts): void; end(): void } | null;
}

export interface SessionWatchOptions extends WatchedSessions {
  /** PI_LEDGER_HOME. */
  readonly home: string;
  readonly storeId: string;
  readonly auditContent: boolean;
  readonly version: string;
  readonly accept: ScanOptions['accept'];
  readonly readLog: ScanOptions['readLog'];
  readonly readSealedTotals: ScanOptions['readSealedTotals'];
  readonly withdrawSession: ScanOptions['withdrawSession'];
  readonly now: () => number;
  onError(error: unknown): void;
}

/** The collector's first requests are served before. */
const startAfterMs = 500;
const passEveryMs = 15_000;
const quietMs = 30_000;

export function startSessionWatch(options: SessionWatchOptions): SessionWatch {
  const stopping = new AbortController();
  let isFirst = true;
  /** This process has written the store ever since. */
  let isLogChecked = false;
  let loop: { stop(): Promise<void> } | null = null;

  async function pass(): Promise<void> {
    const announce = isFirst ? createAnnouncement(options) : null;
    isFirst = false;
    const result = await runOnce(options, {
      signal: stopping.signal,
      announce,
      isSameLog: isLogChecked,
    }).finally(() => announce?.stop());
    if (result === null) return;
    isLogChecked = true;
    announce?.end(result);
  }

  const timer = setTimeout(() => {
    const report = (error: unknown) => {
      if (!stopping.signal.aborted) options.onError(error);
    };
    loop = repeatEvery(passEveryMs, pass, report);
  }, startAfterMs);
  timer.unref();

  return {
    async stop() {
      clearTimeout(timer);
      stopping.abort();
      await loop?.stop();
    },
  };
}

interface Run {
  readonly signal: AbortSignal;
  readonly announce: Announcement | null;
  readonly isSameLog: boolean;
}

async function runOnce(
  options: SessionWatchOptions,
  { signal, announce, isSameLog }: Run,
): Promise<ScanResult | null> {
  const { runScan } = await import('../importers/scan.ts');
  const { openProgress } = await import('../importers/progress/progress.ts');
  if (signal.aborted) return null;
  const homeDirectory = options.environment.HOME || homedir();
  const progress = openProgress({
    path: join(options.home, homeFiles.imports),
    storeId: options.storeId,
  });
  try {
    return await runScan({
      roots: defaultRoots(options.environment, homeDirectory),
      progress,
      accept: options.accept,
      readLog: options.readLog,
      readSealedTotals: options.readSealedTotals,
      withdrawSession: options.withdrawSession,
      homeDirectory,
      auditContent: options.auditContent,
      version: options.version,
      now: options.now,
      quietMs,
      isBackground: true,
      isSameLog,
      signal,
      onProgress: (standing) => announce?.begin(standing),
    });
  } finally {
    progress.close();
  }
}

const putBackLine =
  'The store was restored from an earlier state: all session files are read again; known events ' +
  'count once.';

type Announcement = ReturnType<typeof createAnnouncement>;

/** Announces what the first pass does; nothing when there is nothing to import. */
function createAnnouncement({ print, progress = null }: WatchedSessions) {
  let isSaid = false;
  return {
    begin(counts: ScanCounts): void {
      const { filesToRead, bytesToRead } = counts;
      if (isSaid) progress?.show(counts);
      if (isSaid || filesToRead === 0) return;
      isSaid = true;
      const size = `${count(filesToRead, 'session file')} (${(bytesToRead / 1e6).toFixed(1)} MB)`;
      print(`Importing ${size} in the background; reports work meanwhile.`);
    },
    stop: () => progress?.end(),
    end({ wasPutBack, files, events, issueCount }: ScanResult): void {
      if (wasPutBack) print(putBackLine);
      const warnings =
        issueCount === 0
          ? ''
          : ` ${count(issueCount, 'warning')}: \`pi-ledger import\` lists them.`;
      if (isSaid)
        print(
          `Imported: ${count(files.read, 'file')}, ${count(events.new, 'new event')}, ` +
            `${events.known} already known.${warnings}`,
        );
      if (files.leftAlone > 0)
        print(
          `${count(files.leftAlone, 'session file')} still changing: ` +
            'imported once unchanged for 30 seconds.',
        );
    },
  };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
