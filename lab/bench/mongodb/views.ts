/**
 * The same log folded into views in MongoDB and in SQLite, then the sums of a first look, from
 * both. The log is a file, so only the views are measured.
 */

import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { connectMongodb } from '../../../collector/stores/mongodb/connection.ts';
import { migrateMongodb } from '../../../collector/stores/mongodb/schema.ts';
import { openMongodbViews } from '../../../collector/stores/mongodb/views/views.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { migrateSqlite } from '../../../collector/stores/sqlite/migrate.ts';
import { openSqliteViews } from '../../../collector/stores/sqlite/views/views.ts';
import { createFoldingSubscription } from '../../../collector/subscription/folding-subscription.ts';
import type { SumQuery, Views } from '../../../collector/views/views.ts';
import { sessions } from '../../../test/collector/projections/support/bare-sessions.ts';
import type { Row } from '../benchmark.ts';
import { fillStore } from '../demo-events.ts';
import { median, quantile } from '../statistics.ts';

/** The demo's month ends on 2026-11-20. */
const lastWeek = { column: 'day', is: 'from', values: ['2026-11-13'] } as const;
const questions: readonly (readonly [what: string, query: SumQuery])[] = [
  ['by project, all history', { by: ['project', 'billing'], where: [] }],
  ['by day, all history', { by: ['day', 'billing'], where: [] }],
  ['by model, 7 days', { by: ['model', 'billing'], where: [lastWeek] }],
];

export async function measureViews(
  uri: string,
  home: string,
  events: number,
  runs: number,
): Promise<readonly Row[]> {
  const logPath = await fillStore(home, events);
  const connection = await connectMongodb({ uri });
  await migrateMongodb(connection.database);
  const viewsPath = `${logPath}.views`;
  await migrateSqlite({ path: viewsPath });
  const stores = {
    mongodb: openMongodbViews({ database: connection.database }),
    sqlite: openSqliteViews({ path: viewsPath }),
  };
  try {
    const [folded, bare] = [
      await fold(logPath, stores.mongodb),
      await fold(logPath, stores.sqlite),
    ];
    const rows: Row[] = [
      {
        what: 'views folded from the log',
        measured: events / folded,
        unit: 'events/s',
        baseline: { what: 'SQLite', measured: events / bare },
        note: `${(events / 1_000).toFixed(0)}k events, ${folded.toFixed(1)} s`,
      },
    ];
    for (const [what, query] of questions) rows.push(await ask(what, query, stores, runs));
    return rows;
  } finally {
    for (const views of Object.values(stores)) await views.close();
    await connection.close();
  }
}

/** In seconds. */
async function fold(logPath: string, views: Views): Promise<number> {
  const log = openSqliteLog({ path: logPath });
  const failures: unknown[] = [];
  const subscription = createFoldingSubscription({
    log,
    views,
    projections: createProjections(noRules),
    onError: (error) => failures.push(error),
  });
  const startedMs = performance.now();
  try {
    await subscription.catchUp();
    if (failures.length > 0) throw failures[0];
    return (performance.now() - startedMs) / 1_000;
  } finally {
    await subscription.stop();
    await log.close();
  }
}

async function ask(
  what: string,
  query: SumQuery,
  stores: { mongodb: Views; sqlite: Views },
  runs: number,
): Promise<Row> {
  const [slow, bare]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    slow.push(await milliseconds(() => stores.mongodb.sum(sessions, usage, query)));
    bare.push(await milliseconds(() => stores.sqlite.sum(sessions, usage, query)));
  }
  const note = `p50 ${median(slow).toFixed(1)} ms`;
  return {
    what: `${what}, p95`,
    measured: quantile(slow, 0.95),
    unit: 'ms',
    baseline: { what: 'SQLite', measured: quantile(bare, 0.95) },
    note,
  };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
