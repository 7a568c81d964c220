/**
 * What a collector does only while it writes its store: it folds, offers again what was refused,
 * reads the local spool, imports session files, and deletes old events.
 */
import type { CollectorConfig, Environment } from '../config/config.ts';
import { wholeLog } from '../importers/whole-log.ts';
import { startDeadLetterRetry } from '../ingest/dead-letter-retry.ts';
import { readLogTime } from '../seal/log-time.ts';
import { startRetention } from '../seal/retention.ts';
import type { Ledger } from './ledger.ts';
import { type SessionWatch, startSessionWatch } from './session-watch.ts';

/** Where session files are looked for, and where the user is told of the first import. */
export interface WatchedSessions {
  readonly environment: Environment;
  print(line: string): void;
}

export interface WriterWorkOptions {
  readonly config: CollectorConfig;
  readonly ledger: Ledger;
  /** Where this collector listens. */
  readonly url: string;
  readonly version: string;
  /** Absent: never imports. */
  readonly sessions?: WatchedSessions | undefined;
  readonly now: () => number;
}

/** Contract: `enter` and `leave` alternate; `leave` resolves when nothing of it runs any more. */
export interface WriterWork {
  enter(): void;
  leave(): Promise<void>;
}

export function createWriterWork({
  config,
  ledger,
  url,
  version,
  sessions,
  now,
}: WriterWorkOptions): WriterWork {
  let watch: SessionWatch | null = null;
  let retention: ReturnType<typeof startRetention> | null = null;
  let deadLetters: ReturnType<typeof startDeadLetterRetry> | null = null;
  return {
    enter() {
      ledger.subscription.begin();
      retention = startRetention({
        sealer: ledger.sealer,
        retentionDays: config.retentionDays,
        now,
        readLogTime: () => readLogTime(ledger.views),
        onError: (error) => ledger.app.log.error({ err: error }, 'while sealing history'),
      });
      deadLetters = startDeadLetterRetry({
        ingest: ledger.ingest,
        onError: (error) => ledger.app.log.error({ err: error }, 'while retrying what was refused'),
      });
      ledger.spoolReader.start(url);
      if (sessions === undefined || !config.import) return;
      watch = startSessionWatch({
        ...sessions,
        home: config.home,
        auditContent: config.auditContent,
        storeId: ledger.storeId,
        version,
        accept: (values, texts) => ledger.ingest.accept(values, texts, { is: 'importer' }),
        readLog: () => wholeLog(ledger.log),
        now,
        onError: (error) => ledger.app.log.error({ err: error }, 'while importing session files'),
      });
    },
    async leave() {
      await ledger.sealer.stop();
      await retention?.stop();
      await deadLetters?.stop();
      await watch?.stop();
      await ledger.spoolReader.stop();
      // While it stops, requests that are under way are still folded: then it rests as the last
      // thing (`close`).
      if (ledger.readOnly) await ledger.subscription.rest();
    },
  };
}
