/**
 * What a technology must provide to keep ledgers: one driver object each, with a line in
 * `registry.ts`. All that knows the technology is in its folder.
 *
 * A driver object is light, since every command loads all of them: its methods import what they
 * need (the database's own driver, the store's implementation) when they are called.
 */
import type { Tokens } from '../auth/tokens.ts';
import type { Log } from '../log/log.ts';
import type { Migrated } from './run-migrations.ts';
import type { OpenStoreOptions, Store } from './store.ts';

/** Where a ledger is kept. */
export interface StoreLocation {
  readonly driver: StoreDriver;
  /** In the driver's own form. It may hold a password: for messages there is `nameOf`. */
  readonly address: string;
}

export interface StoreDriver {
  /** How a location of this technology is written, for error messages. */
  readonly expected: string;
  /** The address in a location as users write it; undefined when it is not this driver's. Pure. */
  parse(location: string): string | undefined;
  /** The address as messages show it: without secrets. */
  nameOf(address: string): string;
  /** The same text for two addresses of one store. Asks the file system at most. */
  identityOf(address: string): string;
  /** Directories on this machine that the store fills. */
  directoriesOf(address: string): readonly string[];
  /**
   * How the right to write passes on: with a lease, processes without the right stand by for it.
   * Null: whoever opens the store first writes it until that process ends.
   */
  readonly lease: StoreLease | null;
  /**
   * Takes the right to write if it is free. Throws what a LedgerError can say (`store_missing`
   * without the right to make one, `store_too_new`, `store_unreachable`), and what the file system
   * says.
   */
  open(address: string, options: OpenStoreOptions): Promise<Store>;
  /**
   * Never takes the right to write: nothing is made, migrated or changed. Throws `store_missing`,
   * `store_invalid`, `store_too_new`, `store_outdated`, `store_unreachable`.
   */
  openToRead(address: string): Promise<StoreToRead>;
  /** Null where there is no store yet. Throws as `openToRead` does. */
  readStoreId(address: string): Promise<string | null>;
  /**
   * Brings the schema up to date. Throws `store_locked` while a collector runs on the store,
   * `store_too_new`, `store_unreachable`, `store_invalid`.
   */
  migrate(address: string, options: MigrateOptions): Promise<Migrated>;
  /**
   * What the technology's own check finds wrong with the stored bytes, at most `max` lines. A
   * collector may go on meanwhile.
   */
  check(address: string, max: number): Promise<readonly string[]>;
  /** Ids of damaged events, by position, as far as they stand elsewhere in the store. */
  findIds(address: string, positions: ReadonlySet<number>): Promise<ReadonlyMap<number, string>>;
  /**
   * Whether this error says that the store could not be asked, so that the same question may be
   * answered in a moment. A wrong query or a damaged file is no such error. Causes are the
   * caller's.
   */
  isUnreachable(error: Error): boolean;
}

export interface StoreLease {
  /** A killed process keeps the right for less than this. */
  readonly msMax: number;
}

export interface StoreToRead {
  readonly storeId: string;
  /** Appends are rejected. */
  readonly log: Log;
  readonly tokens: Pick<Tokens, 'list'>;
  close(): Promise<void>;
}

export interface MigrateOptions {
  /** Says what would be done, and does nothing: also beside a running collector. */
  readonly dryRun: boolean;
  readonly onError: (error: unknown) => void;
}
