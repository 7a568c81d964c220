/**
 * Homes of collectors that hold very many names: 8,000 of every kind by one sender beside the
 * demo's month; and a month whose groups of three users are as many models.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { type Names, sessionsOfNames } from '../../../test/collector/support/many-names.ts';
import { sessionEvents } from '../../../test/collector/support/work.ts';
import { demoEvents, inBatches } from '../demo-events.ts';

const demoCount = 30_000;
const hostile: Names = { prefix: 'hostile-', count: 8_000, firstNumber: 5_000_000, user: 'eve' };
/** Some of those. */
export const withdrawnSessions = [7, 8, 9].map((number) => `session-hostile-0000${number}`);
const honest: Names = { prefix: 'honest-', count: 40, firstNumber: 4_000_000 };

const groupUsers = 3;
const groupModels = 6_000;
/** A session knows no more models. */
const modelsPerSession = 20;
const groupTime = '2026-10-20T10:00:00.000Z';
const batchEvents = 1_000;

export async function fillNames(home: string): Promise<void> {
  const budget = { name: 'all', per: 'month', limit: 500, in: 'metered dollars' };
  writeFileSync(join(home, 'config.json'), JSON.stringify({ budgets: [budget] }));
  await fill(home, [demoEvents(demoCount), named(honest), named(hostile)]);
}

/** Returns a token that is told of groups of three users and more. */
export async function fillGroups(home: string): Promise<string> {
  writeFileSync(join(home, 'config.json'), JSON.stringify({ minimumUsers: groupUsers }));
  return fill(home, [groups()]);
}

function* named(names: Names): Generator<LedgerEvent> {
  for (const session of sessionsOfNames(names)) yield* session;
}

function* groups(): Generator<LedgerEvent> {
  for (let user = 0; user < groupUsers; user += 1)
    for (let first = 0; first < groupModels; first += modelsPerSession)
      yield* sessionEvents({
        ...{ id: `group-${user}-${first}`, project: 'shop', user: `user-${user}` },
        startedAt: groupTime,
        turns: Array.from({ length: modelsPerSession }, (_, index) => ({
          time: groupTime,
          model: `model-${first + index}`,
        })),
      });
}

async function fill(home: string, all: readonly Iterable<LedgerEvent>[]): Promise<string> {
  const ledger = await openLedger(loadCollectorConfig({ PI_LEDGER_HOME: home }));
  try {
    for (const events of all)
      for (const batch of inBatches(events, batchEvents)) {
        const { accepted } = await ledger.ingest.accept(batch);
        if (accepted !== batch.length)
          throw new Error(`the store took ${accepted} of ${batch.length} events`);
      }
    await ledger.subscription.catchUp();
    const made = await ledger.app.inject({
      ...{ method: 'POST', url: '/v1/tokens', headers: { host: 'localhost' } },
      payload: { user: 'reader', scopes: ['read'] },
    });
    return made.json<{ token: string }>().token;
  } finally {
    await ledger.close();
  }
}
