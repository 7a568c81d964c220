import { MongoClient } from 'mongodb';
import { migrateMongodb } from '../../../collector/stores/mongodb/schema.ts';
import type { Migration } from '../../../migrations/migration.ts';
import { mongodbMigrations } from '../../../migrations/mongodb/registry.ts';
import type { MongodbTarget } from '../../../migrations/mongodb/target.ts';
import { linesOf, type Step, type StoreToMigrate } from '../migrations.ts';

/** Several lines: `close` of the client is left to the end of the process, or of the test file. */
export async function openStore(argument: {
  readonly uri: string;
}): Promise<StoreToMigrate & { close(): Promise<void> }> {
  const client = await new MongoClient(argument.uri).connect();
  const database = client.db();
  const ids = async (name: string) => {
    const found = await database
      .collection<{ _id: string }>(name)
      .find()
      .sort({ _id: 1 })
      .toArray();
    return found.map(({ _id }) => _id);
  };
  return {
    migrate: (steps, dryRun = false) =>
      migrateMongodb(database, {
        dryRun,
        migrations: [...mongodbMigrations, ...steps.map(toMigration)],
      }),
    own: mongodbMigrations.map(({ name }) => name),
    lines: () => ids('lines'),
    recorded: () => ids('schema'),
    opener: { module: import.meta.url, argument },
    close: () => client.close(),
  };
}

/** Safe to repeat: the text of a line is its `_id`. */
function toMigration(step: Step): Migration<MongodbTarget> {
  return {
    name: step.name,
    async up({ database }) {
      const [begun, done] = linesOf(step);
      const lines = database.collection<{ _id: string }>('lines');
      await lines.replaceOne({ _id: begun }, {}, { upsert: true });
      if (step.diesHalfWay) process.kill(process.pid, 'SIGKILL');
      if (step.fails) throw new Error('It cannot be done.');
      await lines.replaceOne({ _id: done }, {}, { upsert: true });
    },
  };
}
