/** Contexts and compactions from MongoDB equal those from SQLite, letter by letter. */
import { expect, it } from 'vitest';
import { mongodb } from '../../collector/stores/mongodb/driver.ts';
import { eventsOfFile } from '../collector/answers/context/given.ts';
import { compactedSession } from '../collector/support/compacted.ts';
import { guardedLedgers } from '../collector/support/guarded.ts';
import { offer } from '../collector/support/two-people.ts';
import { sessionFile } from '../extension/support/sessions.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();
const guarded = guardedLedgers();

const recorded = [
  'pi15/json-autocompact',
  'pi15/json-length',
  'omp18/json-autocompact',
  'pi073/rpc-tree',
].map((name) => sessionFile(name));
const events = [
  ...recorded.flatMap(eventsOfFile),
  ...compactedSession({ id: 'shop-1', secondsLater: -86_400 }),
  ...compactedSession({ id: 'vault-1', project: 'vault', user: 'bob' }),
];

const questions = [
  '/v1/compactions',
  '/v1/compactions?limit=3',
  '/v1/compactions?kind=branchSummary&kind=failure&format=csv',
  '/v1/compactions?since=2026-11-22&project=vault',
  '/v1/compactions?session=shop&until=2026-11-21',
  '/v1/compactions/a70dd6a6',
  '/v1/compactions/01a1fff4',
  '/v1/compactions/vault-1-c2',
  '/v1/context/last',
  '/v1/context/01a1fff',
  '/v1/context/shop?at=shop-1-t2&points=10',
  ...recorded.map(({ header }) => `/v1/context/${header.id}`),
];

it.each([
  ['everything', { scopes: ['read'] }],
  ['one project', { scopes: ['read'], projects: ['shop'] }],
])('a reader of %s is told the same', async (_name, wish) => {
  const told: string[][] = [];
  for (const subject of [
    await guarded.open({ store: { driver: mongodb, address: databases.uri() } }),
    await guarded.open(),
  ]) {
    await offer(subject, events);
    const { text: token } = await subject.make({ user: 'ada', ...wish });
    const answers: string[] = [];
    for (const url of questions) {
      const { status, text } = await subject.ask({ url, token });
      answers.push(`${url} ${status} ${text}`);
    }
    told.push(answers);
  }
  expect(told[0]).toEqual(told[1]);
  expect(told[0]?.filter((answer) => / 200 /.test(answer)).length).toBeGreaterThan(5);
});
