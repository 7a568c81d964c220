/** Every query of the API to the views, as the driver sends it, with the plan of the server. */

import Fastify, { type FastifyInstance } from 'fastify';
import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes as compactionRoutes } from '../../collector/answers/compactions/route.ts';
import { routes as contextRoutes } from '../../collector/answers/context/route.ts';
import { createSessionContexts } from '../../collector/answers/contexts/contexts.ts';
import { routes as producerRoutes } from '../../collector/answers/producers/route.ts';
import { routes as sessionRoutes } from '../../collector/answers/sessions/route.ts';
import { routes as usageRoutes } from '../../collector/answers/usage/route.ts';
import { addAccess } from '../../collector/http/access.ts';
import type { Log } from '../../collector/log/log.ts';
import type { StoredEvent } from '../../collector/log/stored-event.ts';
import { noWithdrawals } from '../../collector/log/withdrawals.ts';
import { compactions } from '../../collector/projections/compactions.ts';
import { context } from '../../collector/projections/context.ts';
import { producers } from '../../collector/projections/producers.ts';
import { migrateMongodb } from '../../collector/stores/mongodb/schema.ts';
import { openMongodbViews } from '../../collector/stores/mongodb/views/views.ts';
import { createFoldingSubscription } from '../../collector/subscription/folding-subscription.ts';
import { sessions } from '../collector/projections/support/bare-sessions.ts';
import { eventId, exampleEvent } from '../collector/support/events.ts';
import { memberEvents } from '../collector/support/family.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();
const sessionsCount = 1_000;

let client: MongoClient;
let app: FastifyInstance;
let commands: Document[] = [];

beforeAll(async () => {
  client = await new MongoClient(databases.uri(), { monitorCommands: true }).connect();
  const database = client.db();
  await migrateMongodb(database);
  const views = openMongodbViews({ database });
  const subscription = createFoldingSubscription({
    log: logOf(story()),
    views,
    projections: [sessions, producers, context, compactions],
    onError: fail,
  });
  await subscription.catchUp();
  await subscription.stop();
  client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === 'find' || commandName === 'aggregate') commands.push(command);
  });
  app = Fastify();
  const access = {
    mode: 'process',
    machineToken: null,
    hosts: [],
    requestsPerMinuteMax: 0,
    minimumUsers: 0,
    readHomeKey: async () => null,
    now: Date.now,
  } as const;
  await addAccess(app, { ...access, tokens: {} as never });
  await app.register(usageRoutes({ views, sessions, pullRequests: null, now: Date.now }));
  const contexts = createSessionContexts(views);
  await app.register(sessionRoutes({ views, sessions, contexts }));
  await app.register(contextRoutes({ views, sessions, contexts }));
  const log = { history: { positionOf: async () => null } } as never;
  await app.register(compactionRoutes({ views, sessions, contexts, log }));
  await app.register(producerRoutes({ views, log: { receipts: async () => [] } }));
});

afterAll(async () => {
  await app.close();
  await client.close();
});

/** Some days, projects, users and parents. */
function story(): StoredEvent[] {
  const events = Array.from({ length: sessionsCount }, (_, index) => {
    const at = new Date(Date.UTC(2026, 9, 1) + index * 3_600_000).toISOString();
    const members = memberEvents({
      id: `s${index}`,
      parent: index % 3 === 0 ? null : `s${index - 1}`,
      at,
      project: `p${index % 20}`,
      user: `u${index % 10}`,
    });
    const compacted = {
      number: 900_000 + index,
      type: 'pi.compaction.completed.v1',
      subject: `s${index}`,
      time: at,
    } as const;
    return index % 6 === 0
      ? [...members, exampleEvent({ ...compacted, sequence: 0, data: { entryId: `e${index}` } })]
      : members;
  }).flat();
  return events.map((event, index) => ({
    position: index + 1,
    receivedAtMs: 0,
    event,
  }));
}

function logOf(stored: readonly StoredEvent[]): Log {
  return {
    read: async (after: number, limit: number) => stored.slice(after, after + limit),
    head: async () => stored.length,
    withdrawals: async () => noWithdrawals,
    history: { seal: async () => null },
  } as unknown as Log;
}

function fail(error: unknown): never {
  throw error;
}

interface Explained {
  /** Names of the used indexes. */
  readonly indexes: readonly string[];
  /** Collections read as a whole. */
  readonly scans: readonly string[];
  /**
   * Whether MongoDB would sort for want of an ordered index. PostgreSQL, behind the local server,
   * always does.
   */
  readonly sorts: boolean;
}

async function explained(command: Document): Promise<Explained> {
  const { lsid, $db, $clusterTime, readConcern, ...asked } = command;
  const answer = await client.db().command({ explain: asked, verbosity: 'queryPlanner' });
  const nodes = [
    ...nodesOf(answer.queryPlanner?.winningPlan ?? answer.queryPlanner ?? answer.stages),
  ];
  const indexes = nodes.map(indexOf).filter((name) => name !== null);
  return {
    indexes,
    scans: nodes.filter(isScan).map(() => String(asked.find ?? asked.aggregate)),
    sorts: nodes.some(({ stage }) => stage === 'SORT'),
  };
}

type PlanNode = Readonly<Record<string, unknown>>;

function* nodesOf(value: unknown): Generator<PlanNode> {
  if (typeof value !== 'object' || value === null) return;
  yield value as PlanNode;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

/** Reads plans of MongoDB and of PostgreSQL, which uses its index of `_id` to read everything. */
function isScan(node: PlanNode): boolean {
  if (node.stage === 'COLLSCAN' || node['Node Type'] === 'Seq Scan') return true;
  return node['Index Name'] === '_id_' && !String(node['Index Cond']).includes('object_id');
}

function indexOf({ stage, indexName, 'Index Name': name }: PlanNode): string | null {
  if (stage === 'IDHACK' || String(stage).startsWith('EXPRESS')) return '_id_';
  return stage === 'IXSCAN' ? String(indexName) : typeof name === 'string' ? name : null;
}

const day = 'since=2026-10-10&until=2026-10-12';

describe('every query of the API', () => {
  it.each([
    '/v1/usage?by=project',
    '/v1/usage?by=day',
    '/v1/usage?by=user',
    '/v1/usage?by=user&model=claude-sonnet-5',
    `/v1/usage?by=user&${day}`,
    `/v1/usage?by=week&project=p1&${day}`,
    '/v1/usage?by=branch',
    `/v1/usage?by=project&${day}`,
    `/v1/usage?by=model&${day}&project=p1`,
    `/v1/usage?by=day&user=u1&${day}`,
    '/v1/usage?by=day&project=p1&user=u2',
    '/v1/usage?by=session&session=s7&session=s8',
    '/v1/usage?by=week&model=claude-sonnet-5',
    '/v1/usage?by=month&since=2026-10-10T04:00:00Z&until=2026-10-11T04:00:00Z',
    `/v1/usage?by=tree&${day}`,
    '/v1/usage?by=day&tree=s7',
    `/v1/usage?by=day&${day}&timezone=Asia/Kolkata`,
    '/v1/sessions',
    '/v1/sessions?project=p1',
    '/v1/sessions?user=u1&branch=main&ignored=include',
    `/v1/sessions?${day}`,
    `/v1/sessions?project=p3&${day}&model=claude-sonnet-5`,
    '/v1/sessions?tree=s7',
    '/v1/sessions/s7',
    '/v1/context/s7',
    '/v1/context/last',
    '/v1/compactions',
    `/v1/compactions?${day}&kind=compaction`,
    '/v1/compactions?session=s6&session=s12',
    `/v1/compactions/${eventId(900_006)}`,
    '/v1/compactions/e12',
    '/v1/producers',
    '/v1/producers?user=u1',
  ])('finds %s by an index', async (url) => {
    commands = [];
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('s')]);
    const asked = commands;
    expect(asked.length).toBeGreaterThan(0);
    for (const command of asked) {
      const { indexes, scans } = await explained(command);
      expect(scans).toEqual([]);
      expect(indexes.length).toBeGreaterThan(0);
    }
  });

  it('finds each page of a long list by an index, without sorting if possible', async () => {
    const url = '/v1/sessions?limit=100';
    let pages = 0;
    for (let next: string | null = ''; next !== null && pages < 20; pages++) {
      commands = [];
      next = (
        await app.inject(next === '' ? url : `${url}&cursor=${encodeURIComponent(next)}`)
      ).json().next;
      for (const command of commands.filter(({ find }) => find === 'sessions')) {
        expect(await explained(command)).toMatchObject({ scans: [], sorts: false });
      }
    }
    expect(pages).toBe(sessionsCount / 100);
  });
});

describe('this test', () => {
  it('would notice a query that no index serves', async () => {
    const { scans } = await explained({ find: 'usage', filter: { kind: 'turn' } });
    expect(scans).toEqual(['usage']);
  });
});
