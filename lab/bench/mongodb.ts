/**
 * A store in MongoDB, on the server of the lane `mongodb`: how fast it accepts events, how fast its
 * views are folded, and what a report costs. Each figure is compared with the bare server
 * (insertMany of the same documents) or with a SQLite store with the same events.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findServer, type MongodbServer } from '../../test/services/mongodb/find-server.ts';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { measureIngest } from './mongodb/ingest.ts';
import { withDatabase } from './mongodb/own-database.ts';
import { measureViews } from './mongodb/views.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const eventsDefault = 100_000;

export const mongodb: Benchmark = {
  name: 'mongodb',
  budget:
    'a store in MongoDB: events are acknowledged at >= 60 % of the speed of ' +
    'a bare insertMany of the same documents',
  async run(options) {
    const found = await findServer(process.env, { isSynced: true });
    if (found.kind === 'none') throw new Error(found.reason);
    try {
      return await withTemporaryDirectory((directory) => measure(found.server, directory, options));
    } finally {
      await found.server.stop();
    }
  },
};

async function measure(
  server: MongodbServer,
  directory: string,
  options: BenchOptions,
): Promise<readonly Row[]> {
  const events = options.events ?? eventsDefault;
  const home = (name: string) => join(directory, name);
  for (const name of ['collector', 'sqlite']) await mkdir(home(name));
  const ingest = await withDatabase(server.uri, (uri) =>
    measureIngest(uri, home('collector'), events),
  );
  const views = await withDatabase(server.uri, (uri) =>
    measureViews(uri, home('sqlite'), events, options.runs),
  );
  return [...ingest, ...views].map((row) => ({
    ...row,
    note: [row.note, server.name].filter(Boolean).join('; '),
  }));
}
