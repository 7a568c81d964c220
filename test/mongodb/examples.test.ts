/**
 * Runs the queries of docs/mongodb.md, read from the document, on a store filled by a collector.
 */
import { readFileSync } from 'node:fs';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Log } from '../../collector/log/log.ts';
import { noWithdrawals } from '../../collector/log/withdrawals.ts';
import { migrateMongodb } from '../../collector/stores/mongodb/schema.ts';
import { openMongodbViews } from '../../collector/stores/mongodb/views/views.ts';
import { createFoldingSubscription } from '../../collector/subscription/folding-subscription.ts';
import { sessions } from '../collector/projections/support/bare-sessions.ts';
import { sessionEvents } from '../collector/support/work.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();
const text = readFileSync(new URL('../../docs/mongodb.md', import.meta.url), 'utf8');
const blocks = [
  ...text.slice(text.indexOf('## Three questions')).matchAll(/```js\n(.*?)```/gs),
].map(([, code]) => code ?? '');
let client: MongoClient;

const events = [
  ...sessionEvents({
    id: 'long',
    project: 'shop',
    billing: { anthropic: 'metered' },
    startedAt: '2026-10-31T09:00:00.000Z',
    turns: [
      { time: '2026-10-31T09:05:00.000Z', nanoUsd: 1_500_000_000, input: 150 },
      { time: '2026-11-01T09:05:00.000Z', nanoUsd: 2_000_000_001 },
      {
        time: '2026-11-01T09:06:00.000Z',
        nanoUsd: null,
        provider: 'local',
        model: 'tiny',
        input: 50,
      },
    ],
  }),
  ...sessionEvents({
    id: 'short',
    project: 'blog',
    billing: { anthropic: 'subscription' },
    startedAt: '2026-11-02T09:00:00.000Z',
    turns: [{ time: '2026-11-02T09:05:00.000Z', nanoUsd: 500_000_000 }],
  }),
  ...sessionEvents({
    id: 'hers',
    project: 'shop',
    user: 'grace',
    billing: { anthropic: 'metered' },
    startedAt: '2026-11-03T09:00:00.000Z',
    turns: [{ time: '2026-11-03T09:05:00.000Z', nanoUsd: 9_000_000_000 }],
  }),
];

beforeAll(async () => {
  client = await new MongoClient(databases.uri()).connect();
  const database = client.db();
  await migrateMongodb(database);
  const stored = events.map((event, index) => ({
    position: index + 1,
    receivedAtMs: 0,
    event,
  }));
  const log = {
    read: async (after: number, limit: number) => stored.slice(after, after + limit),
    head: async () => stored.length,
    withdrawals: async () => noWithdrawals,
    history: { seal: async () => null },
  } as unknown as Log;
  const onError = (error: unknown): never => {
    throw error;
  };
  const subscription = createFoldingSubscription({
    log,
    views: openMongodbViews({ database }),
    projections: [sessions],
    onError,
  });
  await subscription.catchUp();
  await subscription.stop();
});

afterAll(() => client.close());

/** As the shell would run it: `db`, its collections by name, `ISODate`. */
async function run(code: string, live: number | null = null): Promise<unknown> {
  const db = new Proxy({}, { get: (_, name) => client.db().collection(String(name)) });
  return new Function('db', 'live', 'ISODate', `return ${code}`)(
    db,
    live,
    (date: string) => new Date(date),
  );
}

async function ask(index: number): Promise<Document[]> {
  const [, found = ''] = /^const live = (.*)\.live$/m.exec(blocks[0] ?? '') ?? [];
  const pointer = (await run(found)) as { live: number };
  const cursor = (await run(blocks[index] ?? '', pointer.live)) as {
    toArray(): Promise<Document[]>;
  };
  return cursor.toArray();
}

describe('the questions in docs/mongodb.md', () => {
  it('are three, after the one for the live generation', () => {
    expect(blocks).toHaveLength(4);
  });

  it('what each project cost in each month', async () => {
    expect(await ask(1)).toEqual([
      { month: '2026-10', project: 'shop', billing: 'metered', usd: 1.5, unpricedRecords: 0 },
      {
        month: '2026-11',
        project: 'shop',
        billing: 'metered',
        usd: 11.000000001,
        unpricedRecords: 0,
      },
      { month: '2026-11', project: 'blog', billing: 'subscription', usd: 0.5, unpricedRecords: 0 },
      { month: '2026-11', project: 'shop', billing: 'unknown', usd: 0, unpricedRecords: 1 },
    ]);
  });

  it('which sessions of a user were the most expensive', async () => {
    expect(await ask(2)).toEqual([
      {
        session: 'long',
        project: 'shop',
        startedAt: new Date('2026-10-31T09:00:00Z'),
        usd: 3.500000001,
        records: 3,
      },
      {
        session: 'short',
        project: 'blog',
        startedAt: new Date('2026-11-02T09:00:00Z'),
        usd: 0.5,
        records: 1,
      },
    ]);
  });

  it('how much of what each model read came from its cache', async () => {
    const rows = await ask(3);
    expect(rows.map(({ provider, model }) => [provider, model])).toEqual([
      ['local', 'tiny'],
      ['anthropic', 'claude-sonnet-5'],
    ]);
    expect(rows.map(({ cacheShare }) => cacheShare)).toEqual([20 / 100, 80 / 650]);
  });
});
