import type { Migrated } from '../../stores/run-migrations.ts';
import type { CliCommand } from '../command.ts';

/** `pi-ledger migrate`: updates the store's schema, as the collector does when it starts. */
export const migrateCommand: CliCommand = {
  examples: {
    'store migrate': [['pi-ledger store migrate --dry-run', 'what would change']],
  },
  define(program, terminal, exit) {
    program
      .command('migrate')
      .description("update the store's schema (the collector does this when it starts)")
      .option('--dry-run', 'show the pending migrations, and run none')
      .option('--json', 'print JSON')
      .action(
        async ({
          dryRun = false,
          json = false,
        }: {
          readonly dryRun?: boolean;
          readonly json?: boolean;
        }) => {
          const { loadCollectorConfig } = await import('../../config/config.ts');
          const { store } = loadCollectorConfig(terminal.env);
          const migrated = await store.driver.migrate(store.address, {
            dryRun,
            onError: (error) => terminal.complain(String(error)),
          });
          if (json) terminal.print(JSON.stringify(migrated));
          else for (const line of toLines(migrated)) terminal.print(line);
          exit(0);
        },
      );
  },
};

function toLines({ applied, pending }: Migrated): string[] {
  if (applied.length + pending.length === 0) return ["The store's schema is up to date."];
  return [...applied.map((name) => `Done: ${name}`), ...pending.map((name) => `Pending: ${name}`)];
}
