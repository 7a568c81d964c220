/**
 * Runs the pending migrations of a store in order. A failure ends the run; migrations before it
 * stay applied. Written without a library (migrations/README.md).
 */
import { errorText } from '@pi-ledger/core/text/error-text';
import type { Migration } from '../../migrations/migration.ts';
import { LedgerError } from '../errors.ts';

export interface SchemaRecord {
  /** Names of the applied migrations. */
  read(): Promise<readonly string[]>;
  /** Records a migration as applied now. */
  add(name: string): Promise<void>;
}

export interface MigrationRun<Target> {
  /** The name of the store in messages. */
  readonly store: string;
  readonly migrations: readonly Migration<Target>[];
  readonly target: Target;
  readonly record: SchemaRecord;
  readonly dryRun: boolean;
}

/** What was done, or with `dryRun` would be done. */
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
    const reason = errorText(error);
    throw new Error(`Migration ${migration.name} failed: ${reason}`, { cause: error });
  }
}

/** Throws `store_too_new` when an applied migration is not known here. */
export function pendingAmong(
  migrations: readonly { readonly name: string }[],
  applied: readonly string[],
  store: string,
): string[] {
  const names = migrations.map(({ name }) => name);
  const unknown = applied.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const message =
      `${store} has schema ${unknown}, but this version of pi-ledger only supports schemas up to ` +
      `${names.at(-1)}: update pi-ledger, or use another store.`;
    throw new LedgerError('store_too_new', { message });
  }
  return names.filter((name) => !applied.includes(name));
}

/** The error for a process that may not migrate. */
export function outdated(store: string, pending: readonly string[]): LedgerError {
  const message =
    `${store} has pending migrations (${pending.join(', ')}): ` +
    'start the collector, or run `pi-ledger migrate`.';
  return new LedgerError('store_outdated', { message });
}
