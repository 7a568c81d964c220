/**
 * Imports session files while the collector runs: all that is there on the first run, and what
 * changes from then on.
 *
 * Everything happens in the background, and the code for it is loaded only then: the collector is
 * ready before. A file that changed within the last half minute is left to the live extension and
 * read when it has come to rest. A pass that fails is reported and the next one comes all the same.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../config/config.ts';
import type { PassOptions, PassResult, PassStanding } from '../importers/scan.ts';
import { repeatEvery } from '../timers/repeat.ts';

export interface SessionWatch {
  /** Ends the pass under way; what it read so far stays noted. Never rejects. */
  stop(): Promise<void>;
}

/** Where session files are looked for, and where the user is told of the first import. */
export interface WatchedSessions {
  readonly environment: Environment;
  print(line: string): void;
}

export interface SessionWatchOptions extends WatchedSessions {
  /** PI_LEDGER_HOME. */
  readonly home: string;
  readonly storeId: string;
  readonly auditContent: boolean;
  readonly version: string;
  readonly accept: PassOptions['accept'];
  readonly readLog: PassOptions['readLog'];
  readonly now: () => number;
  onError(error: unknown): void;
}

/** The collector's first requests come before. */
const startAfterMs = 500;
const passEveryMs = 15_000;
const quietMs = 30_000;

export function startSessionWatch(options: SessionWatchOptions): SessionWatch {
  const stopping = new AbortController();
  let isFirst = true;
  /** Since then this process has the store. */
  let isLogChecked = false;
  let loop: { stop(): Promise<void> } | null = null;

  async function pass(): Promise<void> {
    const announce = isFirst ? createAnnouncement(options.print) : null;
    isFirst = false;
    const result = await runOnce(options, {
      signal: stopping.signal,
      announce,
      isSameLog: isLogChecked,
    });
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
): Promise<PassResult | null> {
  const { runPass } = await import('../importers/scan.ts');
  const { openProgress } = await import('../importers/progress/progress.ts');
  const { defaultRoots } = await import('../importers/registry.ts');
  if (signal.aborted) return null;
  const homeDirectory = options.environment.HOME || homedir();
  const progress = openProgress({
    path: join(options.home, 'imports.db'),
    storeId: options.storeId,
  });
  try {
    return await runPass({
      roots: defaultRoots(options.environment, homeDirectory),
      progress,
      accept: options.accept,
      readLog: options.readLog,
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
  'The store was put back to an earlier state: all session files are read again, what is known counts once.';

type Announcement = ReturnType<typeof createAnnouncement>;

/** Says what the first pass does; nothing when there is nothing to import. */
function createAnnouncement(print: (line: string) => void) {
  let isSaid = false;
  return {
    begin({ filesToRead, bytesToRead }: PassStanding): void {
      if (isSaid || filesToRead === 0) return;
      isSaid = true;
      const size = `${count(filesToRead, 'session file')} (${(bytesToRead / 1e6).toFixed(1)} MB)`;
      print(`Importing ${size} in the background; reports can be asked meanwhile.`);
    },
    end({ wasPutBack, files, events, issueCount }: PassResult): void {
      if (wasPutBack) print(putBackLine);
      const warnings =
        issueCount === 0
          ? ''
          : ` ${count(issueCount, 'warning')}: \`pi-ledger import\` lists what is wrong.`;
      if (isSaid)
        print(
          `Imported: ${count(files.read, 'file')}, ${count(events.new, 'new event')}, ${events.known} known already.${warnings}`,
        );
      if (files.leftAlone > 0)
        print(
          `${count(files.leftAlone, 'session file')} changed just now: imported after half a minute of rest.`,
        );
    },
  };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
