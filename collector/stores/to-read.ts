/**
 * Opens a store without the right to write, and without ever asking for it: nothing is made,
 * migrated or changed in it. Whoever writes it goes on undisturbed.
 */
import type { Tokens } from '../auth/tokens.ts';
import type { Log } from '../log/log.ts';
import type { AppendRight } from './mongodb/log/appender.ts';
import type { StoreLocation } from './store-location.ts';

export interface StoreToRead {
  readonly storeId: string;
  /** Appends are rejected. */
  readonly log: Log;
  readonly tokens: Pick<Tokens, 'list'>;
  close(): Promise<void>;
}

/**
 * Throws `store_missing`, `store_invalid`, `store_too_new`, `store_outdated`, `store_unreachable`.
 */
export function openStoreToRead(location: StoreLocation): Promise<StoreToRead> {
  return location.kind === 'sqlite' ? openFile(location.path) : openDatabase(location.uri);
}

async function openFile(path: string): Promise<StoreToRead> {
  const { openSqliteLog } = await import('./sqlite/log/log.ts');
  const { openSqliteTokens } = await import('./sqlite/tokens.ts');
  const { namingFile, withNamedFile } = await import('./sqlite/damage.ts');
  const attempt = <Part>(open: () => Part): Part => {
    try {
      return open();
    } catch (error) {
      throw namingFile(error, path);
    }
  };
  const log = attempt(() => openSqliteLog({ path, readOnly: true }));
  const tokens = attempt(() => openSqliteTokens({ path, readOnly: true }));
  return {
    storeId: log.storeId,
    log: withNamedFile(log, path),
    tokens: withNamedFile(tokens, path),
    async close() {
      await tokens.close();
      await log.close();
    },
  };
}

const noRight: AppendRight = { isHeld: () => false, confirm: async () => false };

async function openDatabase(uri: string): Promise<StoreToRead> {
  const { connectMongodb } = await import('./mongodb/connection.ts');
  const { checkMongodbSchema } = await import('./mongodb/schema.ts');
  const { openMongodbLog } = await import('./mongodb/log/log.ts');
  const { openMongodbTokens } = await import('./mongodb/tokens.ts');
  const { database, close } = await connectMongodb({ uri });
  try {
    await checkMongodbSchema(database);
    const log = await openMongodbLog({ database, right: noRight });
    return {
      storeId: log.storeId,
      log,
      tokens: openMongodbTokens(database),
      async close() {
        await log.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
