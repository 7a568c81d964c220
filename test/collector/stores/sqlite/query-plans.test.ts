/**
 * How SQLite answers what the page asks: each question reads the rows of its period, by an index,
 * however much a ledger holds. Plans do not depend on the data here: nothing is analysed.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { main } from '../../../../collector/cli/main.ts';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger } from '../../../../collector/main.ts';
import { session as longSession } from '../../../../lab/bench/context/session.ts';
import { asksAt, placesOf } from '../../../../lab/bench/page/places.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();
const env = { PI_LEDGER_HOME: directory, HOME: directory };
let ledger: Awaited<ReturnType<typeof openLedger>>;

beforeAll(async () => {
  const path = join(directory, 'ledger.db');
  const quiet = { print: () => undefined, complain: () => undefined };
  const screen = { env, columns: null, colour: false, now: () => new Date(), ...quiet };
  expect(await main(['demo', '--days', '3', '--data-only', path], screen)).toBe(0);
  ledger = await openLedger(loadCollectorConfig(env));
});
afterAll(() => ledger.close());

/** Each reads a whole rollup: of days and hours, which are few, or one row of each session. */
const known = new Set([
  '/v1/usage: view_1_rollup_usage_days',
  '/v1/usage: view_1_rollup_usage_hours',
  '/v1/insights: view_1_rollup_usage_days',
  '/v1/insights: view_1_rollup_usage_sessions',
  '/v1/sessions: view_1_rollup_usage_sessions',
]);

it('reads rows by an index, wherever the page is opened', async () => {
  const { rows } = (await ledger.app.inject('/v1/sessions?limit=1')).json();
  const asks = new Set(placesOf(rows[0].id).flatMap((place) => asksAt(place)));
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const steps: Step[] = [];
  for (const ask of asks) {
    prepared.mockClear();
    const { statusCode } = await ledger.app.inject(ask);
    // The places are those of a larger ledger, of which one session is not here.
    expect(ask.includes(longSession) ? [200, 404] : [200], ask).toContain(statusCode);
    const { calls, contexts } = { ...prepared.mock };
    for (const [call, [sql]] of [...calls].entries())
      steps.push(...stepsOf(sql, contexts[call] as DatabaseSync, ask));
  }
  prepared.mockRestore();
  const whole = steps.filter(readsAll).map(({ ask, step }) => `${routeOf(ask)}: ${tableIn(step)}`);
  expect(whole.filter((each) => !known.has(each))).toEqual([]);
  expect(steps.filter(({ step }) => step.startsWith('SEARCH')).length).toBeGreaterThan(50);
});

interface Step {
  readonly ask: string;
  readonly sql: string;
  readonly step: string;
}

function stepsOf(sql: string, database: DatabaseSync, ask: string): readonly Step[] {
  if (!/^\s*SELECT.* FROM "/s.test(sql)) return [];
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return steps.map(({ detail }) => ({ ask, sql, step: String(detail) }));
}

/** Of a table: what a subquery has summed is little, and a list ends at its limit. */
function readsAll({ sql, step }: Step): boolean {
  if (!step.startsWith('SCAN') || /^SCAN \(?subquery/.test(step)) return false;
  return !(step.includes(' USING INDEX ') && /ORDER BY [^)]* LIMIT \?\s*$/.test(sql));
}

function routeOf(ask: string): string {
  return new URL(ask, 'http://localhost').pathname;
}

function tableIn(step: string): string {
  return step.split(' ')[1] ?? '';
}
