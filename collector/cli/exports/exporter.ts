import type { LedgerClient } from '../client/ledger-client.ts';
import type { Terminal } from '../command.ts';
import type { Note } from '../output/answer-parts.ts';

/** `--since` and `--until`, as typed. */
export interface FileExportOptions {
  readonly since?: string;
  readonly until?: string;
}

/** Resolves when it accepts more. */
export type Sink = (part: string | Uint8Array) => Promise<void>;

interface ExportJob {
  readonly client: LedgerClient;
  readonly terminal: Terminal;
  readonly options: FileExportOptions;
  readonly write: Sink;
}

interface Exported {
  /** `12 events`. */
  readonly text: string;
  /** For `--json`. */
  readonly summary: object;
  /** What the file cannot say. */
  readonly notes: readonly Note[];
  /** Something is missing that the ledger should have had. */
  readonly isIncomplete: boolean;
}

/** One format. Rejects when the ledger or the sink fails: then the file is not whole. */
export type FileExporter = (job: ExportJob) => Promise<Exported>;
