/** A ledger's log in a database of a MongoDB server. */
import { type Collection, MongoClient } from 'mongodb';
import type { LedgerStore, StoredEvent } from '../ledger-store.ts';

export function mongodbStore(uri: string): LedgerStore {
  return {
    location: uri,
    async events() {
      const found = await withLog(uri, (log) => log.find({}, { sort: { _id: 1 } }).toArray());
      return found.map(({ body }) => JSON.parse(body) as StoredEvent);
    },
    async damage(type) {
      await withLog(uri, async (log) => {
        const newest = await log.findOne({ type }, { sort: { _id: -1 } });
        if (newest !== null) await log.deleteOne({ _id: newest._id });
      });
    },
  };
}

interface LogDocument {
  readonly _id: bigint;
  readonly type: string;
  readonly body: string;
}

/**
 * A connection each time: nothing has to be closed in the end, and a collector that was killed a
 * moment ago is not in its way.
 */
async function withLog<Answer>(
  uri: string,
  ask: (log: Collection<LogDocument>) => Promise<Answer>,
): Promise<Answer> {
  const client = new MongoClient(uri, { readConcern: { level: 'majority' }, maxPoolSize: 1 });
  try {
    return await ask(client.db().collection<LogDocument>('events', { useBigInt64: true }));
  } finally {
    await client.close();
  }
}
