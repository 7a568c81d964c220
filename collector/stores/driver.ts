/**
 * A technology that can keep ledgers: one driver object each, with a line in `registry.ts`.
 * Everything that is specific to the technology is in its folder.
 *
 * Every command loads every driver object, so a driver object is small: its methods import what
 * they need (the database's client, the store's implementation) when they are called.
 */
import type { TokenRegistry } from '../auth/tokens.ts';
import type { Log } from '../log/log.ts';
import type { Migrated } from './run-migrations.ts';
import type { CellStore, OpenCellsOptions, OpenStoreOptions, Store } from './store.ts';

/** Where a ledger is kept. */
export interface StoreLocation {
  readonly driver: StoreDriver;
  /** In the driver's own form. It may contain a password; messages use `nameOf`. */
  readonly address: string;
}

export interface StoreDriver {
  /** `sqlite` */
  readonly kind: string;
  /** Bytes of its files; null: they are elsewhere. Never throws. */
  sizeOf(address: string): number | null;
  /** How a location of this technology is written, for error messages. */
  readonly expected: string;
  /** The address in a location as users write it; undefined for another driver's location. Pure. */
  parse(location: string): string | undefined;
  /** The address without secrets, for messages. */
  nameOf(address: string): string;
  /** Equal for two addresses of one store. Reads the file system at most. */
  identityOf(address: string): string;
  /** Local directories that the store writes to. */
  directoriesOf(address: string): readonly string[];
  /**
   * With a lease, processes without the right to write stand by to take it over. Null: whoever
   * opens the store first has the right until that process ends.
   */
  readonly lease: StoreLease | null;
  /**
   * Takes the right to write if it is free. Throws LedgerErrors (`store_missing` when the store
   * cannot be created without the right, `store_too_new`, `store_unreachable`) and file system
   * errors.
   */
  open(address: string, options: OpenStoreOptions): Promise<Store>;
  /**
   * Opens every cell of the ledger, in order, with the right to write none of them. Throws as
   * `open` does, and `cells_differ` when there are events and another number of cells. Null: this
   * technology keeps ledgers of one cell alone.
   */
  readonly openCells:
    | ((address: string, options: OpenCellsOptions) => Promise<readonly CellStore[]>)
    | null;
  /**
   * Opens the store without the right to write, and never changes it. Throws `store_missing`,
   * `store_invalid`, `store_too_new`, `store_outdated`, `store_unreachable`.
   */
  openToRead(address: string): Promise<StoreToRead>;
  /** Resolves to null when there is no store yet. Throws as `openToRead` does. */
  readStoreId(address: string): Promise<string | null>;
  /**
   * Brings the schema up to date. Throws `store_locked` while a collector is running on the store,
   * `store_too_new`, `store_unreachable`, `store_invalid`.
   */
  migrate(address: string, options: MigrateOptions): Promise<Migrated>;
  /**
   * Problems that the technology's own integrity check finds, at most `max` lines. Works beside a
   * running collector.
   */
  check(address: string, max: number): Promise<readonly string[]>;
  /** Ids of damaged events by position, where the store has them in a second place. */
  findIds(address: string, positions: ReadonlySet<number>): Promise<ReadonlyMap<number, string>>;
  /**
   * Whether the error means that the store could not be reached, so that the same request may
   * succeed in a moment. Wrong queries and damaged files do not. Looks at this error only, not at
   * its causes.
   */
  isUnreachable(error: Error): boolean;
}

export interface StoreLease {
  /** The longest time that a killed process keeps the right. */
  readonly msMax: number;
}

export interface StoreToRead {
  readonly storeId: string;
  /** Appends are rejected. */
  readonly log: Log;
  readonly tokens: Pick<TokenRegistry, 'list'>;
  close(): Promise<void>;
}

export interface MigrateOptions {
  /** Reports the pending migrations and changes nothing; works beside a running collector. */
  readonly dryRun: boolean;
  readonly onError: (error: unknown) => void;
}
