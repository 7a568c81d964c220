import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openSqliteLog } from '../../collector/stores/sqlite/log/log.ts';
import { openSqliteTokens } from '../../collector/stores/sqlite/tokens.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { tokensSuite } from './tokens.ts';

const directory = temporaryDirectory();
let stores = 0;

tokensSuite('sqlite', async () => {
  stores += 1;
  const path = join(directory, `${stores}.db`);
  await openSqliteLog({ path }).close();
  return { tokens: openSqliteTokens({ path }), openBeside: async () => openSqliteTokens({ path }) };
});

it('looks a token up by an index', async () => {
  const path = join(directory, 'explained.db');
  await openSqliteLog({ path }).close();
  const database = new DatabaseSync(path, { readOnly: true });
  const plan = database
    .prepare("EXPLAIN QUERY PLAN SELECT id FROM tokens WHERE hash = x'00'")
    .all() as { detail: string }[];
  database.close();
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH tokens USING .*INDEX .*hash=\?/),
  ]);
});
