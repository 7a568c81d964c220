/** A SQLite file opened without the right to write. */
import { existsSync } from 'node:fs';
import type { StoreToRead } from '../driver.ts';
import { withNamedFile } from './damage.ts';
import { openSqliteLog } from './log/log.ts';
import { openSqliteTokens } from './tokens.ts';
import { explained } from './usable.ts';

export function openSqliteToRead(path: string): StoreToRead {
  const log = explained(path, () => openSqliteLog({ path, readOnly: true }));
  const tokens = explained(path, () => openSqliteTokens({ path, readOnly: true }));
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

export async function readSqliteStoreId(path: string): Promise<string | null> {
  if (!existsSync(path)) return null;
  const log = explained(path, () => openSqliteLog({ path, readOnly: true }));
  await log.close();
  return log.storeId;
}
