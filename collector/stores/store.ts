/**
 * A store as the rest of the collector sees it: its log, its views, its tokens, its checkpoints, and
 * the right to write them.
 */
import type { Tokens } from '../auth/tokens.ts';
import type { Checkpoints } from '../log/checkpoints.ts';
import type { Log } from '../log/log.ts';
import type { Views } from '../views/views.ts';

export interface Store {
  /** Drawn when the store was made. */
  readonly storeId: string;
  /** Appends are rejected with `standing_by` while this process has no right to them. */
  readonly log: Log;
  readonly views: Views;
  readonly tokens: Tokens;
  readonly checkpoints: Checkpoints;
  readonly right: WriteRight;
  /**
   * What keeps it from being written for as long as this process runs, in words for people; null:
   * nothing. Asks nobody else.
   */
  trouble(): string | null;
  /** Each of these too; gives the right back. */
  close(): Promise<void>;
}

/**
 * The right to append and to fold: one process at a time has it. For a SQLite file it is decided
 * when the store is opened, and stays; in MongoDB it may be lost (a server that does not answer, a
 * process that was halted) and taken again.
 *
 * Contract: `isHeld` asks nobody; `take` rejects when the store fails; `lost` resolves when the
 * right that is held now is gone, and never rejects.
 */
export interface WriteRight {
  isHeld(): boolean;
  /**
   * True when it is held then, and the store is ready to be written: migrated, with everything made
   * up for that a dead process left out.
   */
  take(): Promise<boolean>;
  lost(): Promise<void>;
}

export interface OpenStoreOptions {
  readonly now: () => number;
  /** What went wrong in the background. Must not throw. */
  onError(error: unknown): void;
}
