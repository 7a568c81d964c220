/** In a file of the ledger's home, or on the server of the lane `mongodb`. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { uriOf } from '../../test/services/mongodb/databases.ts';
import { findServer } from '../../test/services/mongodb/find-server.ts';
import type { MakeStore } from './record.ts';

export async function withStores(
  kind: string,
  use: (makeStore: MakeStore) => Promise<void>,
): Promise<void> {
  if (kind === 'sqlite') return use((home) => `sqlite:${join(home, 'ledger.db')}`);
  if (kind !== 'mongodb') throw new Error(`--store: ${kind} is neither sqlite nor mongodb`);
  const found = await findServer(process.env);
  if (found.kind === 'none') throw new Error(found.reason);
  const { uri, stop } = found.server;
  try {
    await use(() => uriOf(uri, `witness_${randomUUID().replaceAll('-', '')}`));
  } finally {
    await stop();
  }
}
