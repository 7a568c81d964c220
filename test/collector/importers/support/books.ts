/**
 * What a ledger reports about imported session files, with real ingest, a real log, and a fold from
 * the start.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Importer } from '../../../../collector/importers/importer.ts';
import { runScan, type ScanResult } from '../../../../collector/importers/scan.ts';
import { createInlineRunner } from '../../../../collector/importers/threads/runner.ts';
import { wholeLog } from '../../../../collector/importers/whole-log.ts';
import { createIngest, type Ingest } from '../../../../collector/ingest/ingest.ts';
import { type FoldRules, noRules } from '../../../../collector/projections/rules.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { openSqliteLog, type SqliteLog } from '../../../../collector/stores/sqlite/log/log.ts';
import type { LedgerEvent } from '../../../../contract/index.ts';
import { fold } from '../../projections/support/fold.ts';
import { homeDirectory, memoryProgress } from './imports.ts';

export interface Books {
  readonly ingest: Ingest;
  /** Scans a directory; `forgetting`: as if `imports.db` were lost. */
  import(directory: string, forgetting?: boolean): Promise<ScanResult>;
  events(): Promise<readonly LedgerEvent[]>;
  /** Records, tokens and nano-dollars by the named dimensions. */
  report(rules?: FoldRules, ...by: string[]): Promise<Record<string, string>>;
  /** The same over everything. */
  total(rules?: FoldRules): Promise<string>;
  close(): Promise<void>;
}

export async function openBooks(root: string, importer: Importer): Promise<Books> {
  const path = join(mkdtempSync(join(root, 'store-')), 'ledger.db');
  const log: SqliteLog = openSqliteLog({ path });
  const ingest = createIngest({ log, now: Date.now, onAppended: () => undefined });
  const progress = memoryProgress();
  const events = async () => (await log.read(0, 1_000_000)).map(({ event }) => event);

  async function report(
    rules: FoldRules = noRules,
    ...by: string[]
  ): Promise<Record<string, string>> {
    const rows = fold(createSessions(rules), await events()).rows(usage, ...by);
    return Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, textOf(row)]));
  }

  return {
    ingest,
    import: (directory, forgetting = false) =>
      runScan({
        roots: [{ importer, directory, isNamed: true }],
        progress: forgetting ? memoryProgress() : progress,
        homeDirectory,
        auditContent: false,
        version: '0.1.0',
        now: Date.now,
        quietMs: 0,
        createRunner: createInlineRunner,
        readLog: () => wholeLog(log),
        readSealedTotals: async () => null,
        withdrawSession: async () => null,
        accept: (values, texts) => ingest.accept(values, texts),
      }),
    events,
    report,
    total: async (rules = noRules) => Object.values(await report(rules))[0] ?? 'nothing',
    close: () => log.close(),
  };
}

function textOf(row: Record<string, bigint>): string {
  const tokens = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'].map(
    (name) => row[name] ?? 0n,
  );
  const sum = tokens.reduce((total, each) => total + each, 0n);
  return `${row.records} records, ${sum} tokens, ${row.nanoUsd} nano-dollars`;
}
