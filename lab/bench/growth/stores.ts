/** Where a ledger grows: in a file that is kept, or on a server of the lane `mongodb`. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { uriOf } from '../../../test/services/mongodb/databases.ts';
import { findServer } from '../../../test/services/mongodb/find-server.ts';
import type { BenchOptions } from '../benchmark.ts';
import { type KeptLines, keptLines } from '../kept-lines.ts';
import { cpuSecondsOfDescendants } from '../proc.ts';
import type { GrowthLine } from './lines.ts';

export interface GrowthStore {
  readonly name: string;
  /** Value of PI_LEDGER_STORE. */
  readonly address: string;
  readonly lines: KeptLines<GrowthLine>;
  bytes(): Promise<number>;
  serverCpuSeconds(): Promise<number>;
}

export function withGrowthStore<Result>(
  name: BenchOptions['stores'][number],
  use: (store: GrowthStore) => Promise<Result>,
): Promise<Result> {
  const lines = keptLines<GrowthLine>(`growth-${name}`);
  return name === 'sqlite' ? use(inFile(lines)) : onServer(lines, use);
}

function inFile(lines: KeptLines<GrowthLine>): GrowthStore {
  return {
    name: 'SQLite',
    address: `sqlite:${join(lines.home, 'ledger.db')}`,
    lines,
    async bytes() {
      const files = readdirSync(lines.home).filter((name) => name.startsWith('ledger.db'));
      return files.reduce((sum, name) => sum + statSync(join(lines.home, name)).size, 0);
    },
    serverCpuSeconds: async () => 0,
  };
}

const databaseName = 'bench_growth';
export const databasePrograms = ['postgres', 'ferretdb'];

async function onServer<Result>(
  lines: KeptLines<GrowthLine>,
  use: (store: GrowthStore) => Promise<Result>,
): Promise<Result> {
  const found = await findServer(process.env, { isSynced: true });
  if (found.kind === 'none') throw new Error(found.reason);
  const { uri, name, stop } = found.server;
  if ((process.env.MONGODB_URI ?? '') === '') lines.clear();
  const address = uriOf(uri, databaseName);
  try {
    return await use({
      ...{ name, address, lines },
      bytes: () => bytesOf(address),
      serverCpuSeconds: () => cpuSecondsOfDescendants(databasePrograms),
    });
  } finally {
    await stop();
  }
}

/** Documents and indexes, as the server counts them. */
export async function bytesOf(address: string): Promise<number> {
  const client = await new MongoClient(address).connect();
  try {
    const found = await client.db().command({ dbStats: 1 });
    return Number(found.storageSize) + Number(found.indexSize);
  } finally {
    await client.close();
  }
}
