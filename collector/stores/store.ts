/** An open store: its log, views, tokens and checkpoints, and the right to write them. */
import type { TokenRegistry } from '../auth/tokens.ts';
import type { Checkpoints } from '../log/checkpoints.ts';
import type { Log } from '../log/log.ts';
import type { Views } from '../views/views.ts';

export interface Store {
  /** Random, drawn when the store was created. */
  readonly storeId: string;
  /** Rejects appends with `standing_by` while this process does not have the right to write. */
  readonly log: Log;
  readonly views: Views;
  readonly tokens: TokenRegistry;
  readonly checkpoints: Checkpoints;
  readonly right: WriteRight;
  /**
   * Why this process can no longer write to the store, as a sentence for users; null when it can.
   * Asks no server.
   */
  trouble(): string | null;
  /** Closes all of these too, and releases the right to write. */
  close(): Promise<void>;
}

/** One of the cells of a ledger; several processes may lead some of them each. */
export interface CellStore extends Store {
  /** Gives up the right to write, so that another process can take it at once. Never rejects. */
  release(): Promise<void>;
}

/**
 * The right to append and to fold, held by one process at a time. In a SQLite file it is decided
 * when the store is opened; in MongoDB it can be lost (a server does not answer, the process was
 * suspended) and taken again.
 *
 * Contract: `isHeld` asks no server; `take` rejects when the store fails; `lost` resolves when the
 * right held now is gone, and never rejects.
 */
export interface WriteRight {
  isHeld(): boolean;
  /**
   * True when this process now has the right and the store is ready for writing: migrated, and with
   * everything completed that a dead process left unfinished.
   */
  take(): Promise<boolean>;
  lost(): Promise<void>;
}

export interface OpenCellsOptions extends OpenStoreOptions {
  /** How many a ledger without events is to have; null: as many as it has, or one. */
  readonly cells: number | null;
}

export interface OpenStoreOptions {
  readonly now: () => number;
  /** Reports an error of background work. Must not throw. */
  onError(error: unknown): void;
}
