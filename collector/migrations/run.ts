/**
 * Runs what a store still lacks, by umzug, one after the other; the first that fails ends it, and what came before it stays done.
 *
 * Umzug is loaded only when there is something to run: that takes a third of a second, and most starts have nothing.
 */
import { LedgerError } from '../errors.ts';
import type { Migrated, Migration } from './migration.ts';

export interface SchemaRecord {
  /** Names of what was applied. */
  read(): Promise<readonly string[]>;
  /** It was applied just now. */
  add(name: string): Promise<void>;
}

export interface MigrationRun<Context> {
  /** As messages name the store. */
  readonly store: string;
  readonly migrations: readonly Migration<Context>[];
  readonly context: Context;
  readonly record: SchemaRecord;
  readonly dryRun: boolean;
}

/** Throws `store_too_new`, and what a migration throws. */
export async function runMigrations<Context>({ store, migrations, context, record, dryRun }: MigrationRun<Context>): Promise<Migrated> {
  const pending = pendingAmong(migrations, await record.read(), store);
  if (dryRun || pending.length === 0) return { applied: [], pending };
  const { Umzug } = await import('umzug');
  const umzug = new Umzug({
    migrations: migrations.map((migration) => ({ name: migration.name, up: async () => migration.up(context) })),
    storage: {
      executed: async () => [...(await record.read())],
      logMigration: ({ name }) => record.add(name),
      unlogMigration: () => Promise.reject(new Error('Migrations only go forward.')),
    },
    logger: undefined,
  });
  const applied = await umzug.up();
  return { applied: applied.map(({ name }) => name), pending: [] };
}

/** Throws `store_too_new` when one was applied that is not known here. */
export function pendingAmong(migrations: readonly { readonly name: string }[], applied: readonly string[], store: string): string[] {
  const names = migrations.map(({ name }) => name);
  const unknown = applied.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const message = `${store} has the schema ${unknown}, this version of pi-ledger knows ${names.at(-1)}: update pi-ledger, or use another store.`;
    throw new LedgerError('store_too_new', { message });
  }
  return names.filter((name) => !applied.includes(name));
}

/** For a process that may not migrate. */
export function outdated(store: string, pending: readonly string[]): LedgerError {
  const message = `${store} lacks ${pending.join(', ')}: start the collector, or run \`pi-ledger migrate\`.`;
  return new LedgerError('store_outdated', { message });
}
