/** A role is a list: one that only answers is composed here as it would be in the product. */
import { afterEach, describe, expect, it } from 'vitest';
import { answersGroup, healthGroup } from '../../../collector/answers/groups.ts';
import type { CollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { createHiddenInsights } from '../../../collector/process/hidden-insights.ts';
import { createLastReconciliation } from '../../../collector/process/last-reconciliation.ts';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import type { Role } from '../../../collector/roles/role.ts';
import { exampleEvents } from '../support/events.ts';
import { batchType, get, ledgerHomes, post } from '../support/ledger.ts';

const readOnly: Role = {
  routes: ({ store: { log, views }, config, now, readStanding, settleViews, readHealth }) => [
    answersGroup({
      log,
      views,
      rules: config.rules,
      pullRequests: config.pullRequests,
      limits: config.quota,
      hidden: createHiddenInsights(config.home),
      configured: () => [],
      leftOut: () => [],
      now,
      readStanding,
      readCommand: () => 'pi-ledger',
      readMetrics: async () => null,
      settleViews,
    }),
    healthGroup(readHealth, () => [], createLastReconciliation(config.home)),
  ],
  leaderTasks: null,
};

const { config } = ledgerHomes();
const opened: Ledger[] = [];
afterEach(async () => {
  for (const ledger of opened.splice(0).toReversed()) await ledger.close();
});

async function open(home: CollectorConfig, role?: Role): Promise<Ledger> {
  const ledger = await openLedger(home, role === undefined ? {} : { role });
  opened.push(ledger);
  return ledger;
}

describe('a role of answers and health alone', () => {
  it('answers from the store that another process writes', async () => {
    const home = config();
    const writing = await open(home);
    const reading = await open(home, readOnly);
    expect((await post(writing, exampleEvents(1, 5))).status).toBe(200);
    await writing.subscription.catchUp();
    expect((await get(reading, '/v1/usage')).json().total.records).toBe(5);
    expect((await get(reading, '/v1/log?limit=10')).json().rows).toHaveLength(5);
    expect((await get(reading, '/health/live')).json()).toEqual({ live: true });
    expect((await get(reading, '/health/ready')).json().role).toBe('standby');
  });

  it('takes nothing in and administers nothing: there are no such routes', async () => {
    const ledger = await open(config(), readOnly);
    for (const url of ['/v1/events', '/v1/rebuild/sessions', '/v1/seal', '/v1/tokens']) {
      const headers = { 'content-type': url === '/v1/events' ? batchType : 'application/json' };
      const answer = await ledger.app.inject({ method: 'POST', url, headers, payload: '[]' });
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, 'not_found']);
    }
    const document = (await get(ledger, '/openapi.json')).json();
    const paths = Object.keys(document.paths);
    expect(paths).toContain('/v1/usage');
    expect(paths).not.toContain('/v1/events');
  });

  it('folds nothing, even where nobody else writes', async () => {
    const home = config();
    const writing = await openLedger(home);
    await post(writing, exampleEvents(1, 3));
    await writing.close();
    const ledger = await open(home, readOnly);
    const views = async () => (await get(ledger, '/health/ready')).json().views;
    const before = await views();
    await ledger.log.append({
      receivedAtMs: Date.now(),
      events: exampleEvents(10, 2),
      deadLetters: [],
    });
    expect((await get(ledger, '/v1/usage')).json().total.records).toBe(3);
    expect((await views()).map(({ position }: { position: number }) => position)).toEqual(
      before.map(({ position }: { position: number }) => position),
    );
  });
});
