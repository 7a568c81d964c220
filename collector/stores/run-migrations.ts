/**
 * Runs what a store still lacks, one after the other; the first that fails ends it, and what came
 * before it stays done. No library does this (docs/decisions/0026).
 */
import type { Migration } from '../../migrations/migration.ts';
import { LedgerError } from '../errors.ts';

export interface SchemaRecord {
  /** Names of what was applied. */
  read(): Promise<readonly string[]>;
  /** It was applied just now. */
  add(name: string): Promise<void>;
}

export interface MigrationRun<Target> {
  /** As messages name the store. */
  readonly store: string;
  readonly migrations: readonly Migration<Target>[];
  readonly target: Target;
  readonly record: SchemaRecord;
  readonly dryRun: boolean;
}

/** What was done to a store, or with `dryRun` would be. */
export interface Migrated {
  /** Names, in order. */
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

/** Throws `store_too_new`, and an error that names the migration that failed. */
export async function runMigrations<Target>({
  store,
  migrations,
  target,
  record,
  dryRun,
}: MigrationRun<Target>): Promise<Migrated> {
  const pending = pendingAmong(migrations, await record.read(), store);
  if (dryRun) return { applied: [], pending };
  for (const migration of migrations.filter(({ name }) => pending.includes(name))) {
    await runOne(migration, target);
    await record.add(migration.name);
  }
  return { applied: pending, pending: [] };
}

async function runOne<Target>(migration: Migration<Target>, target: Target): Promise<void> {
  try {
    await migration.up(target);
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    throw new Error(
      `The migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** Throws `store_too_new` when one was applied that is not known here. */
export function pendingAmong(
  migrations: readonly { readonly name: string }[],
  applied: readonly string[],
  store: string,
): string[] {
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
