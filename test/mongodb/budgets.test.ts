/** Budgets from MongoDB are those from SQLite, letter by letter, and after a rebuild. */
import { expect, it } from 'vitest';
import { mongodb } from '../../collector/stores/mongodb/driver.ts';
import { attributed, turn } from '../collector/projections/support/given.ts';
import { budget, documentsOf, look } from '../collector/roles/budgets/support.ts';
import { guardedLedgers, startMs } from '../collector/support/guarded.ts';
import { offer } from '../collector/support/two-people.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();
const guarded = guardedLedgers();
const iso = (ms: number) => new Date(ms).toISOString();
const budgets = [
  budget('shop', { project: 'shop', per: 'month', timeZone: 'Asia/Kolkata' }),
  budget('ada', { user: 'ada', per: 'week', timeZone: 'Europe/Berlin' }),
  budget('tokens', { unit: 'tokens', limit: '30', label: null }),
];
const days = Array.from({ length: 28 }, (_, index) =>
  turn(iso(startMs - index * 86_400_000), { costNanoUsd: 30 + index }),
);
const first = [attributed(iso(startMs - 40 * 86_400_000)), ...days];
const later = turn(iso(startMs), { costNanoUsd: 900 });
const questions = [
  '/v1/budgets',
  '/v1/budgets?project=shop',
  '/v1/budgets/crossings',
  '/v1/budgets/crossings?limit=1',
  '/v1/budgets/crossings?budget=shop&since=2026-11-01',
];

it('reads, sorts and folds anew the same documents', async () => {
  const told: string[][] = [];
  for (const subject of [
    await guarded.open({ budgets, store: { driver: mongodb, address: databases.uri() } }),
    await guarded.open({ budgets }),
  ]) {
    await offer(subject, first);
    await look(subject.ledger, budgets, iso(startMs));
    await offer(subject, [later]);
    await look(subject.ledger, budgets, iso(startMs + 1_000));
    const before = await documentsOf(subject.ledger);
    await subject.ledger.subscription.rebuild('budgets');
    expect(await documentsOf(subject.ledger)).toEqual(before);
    const answers: string[] = [];
    for (const url of questions) {
      const { status, text } = await subject.ask({ url, token: subject.machineToken });
      answers.push(`${url} ${status} ${text}`);
    }
    told.push(answers);
  }
  expect(told[0]).toEqual(told[1]);
  expect(told[0]?.[0]).toContain('"state":"over"');
  expect(told[0]?.[0]).toContain('"basis":"median');
});
