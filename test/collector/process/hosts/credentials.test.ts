import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { suggestBilling } from '../../../../collector/process/hosts/credentials.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();
let homes = 0;

function newHome(): string {
  homes += 1;
  const home = join(directory, String(homes));
  mkdirSync(join(home, '.pi', 'agent'), { recursive: true });
  mkdirSync(join(home, '.omp', 'agent'), { recursive: true });
  return home;
}

function signIn(home: string, credentials: object): void {
  writeFileSync(join(home, '.pi', 'agent', 'auth.json'), JSON.stringify(credentials));
}

/** As omp's own store makes it. */
function ompHas(home: string, rows: readonly (readonly [string, string])[]): DatabaseSync {
  const database = new DatabaseSync(join(home, '.omp', 'agent', 'agent.db'));
  database.exec(
    'PRAGMA journal_mode=WAL; CREATE TABLE auth_credentials ' +
      '(id INTEGER PRIMARY KEY, provider TEXT, credential_type TEXT, data TEXT)',
  );
  const insert = database.prepare(
    "INSERT INTO auth_credentials (provider, credential_type, data) VALUES (?, ?, 'secret')",
  );
  for (const row of rows) insert.run(...row);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return database;
}

const suggested = (home: string) => Object.fromEntries(suggestBilling({ HOME: home }));

describe('the kind of credentials', () => {
  it('suggests a plan or use, from either agent', () => {
    const home = newHome();
    signIn(home, {
      anthropic: { type: 'oauth', access: 'secret', refresh: 'secret', expires: 1 },
      openai: { type: 'api_key', key: 'secret' },
    });
    const omp = ompHas(home, [['openai-codex', 'oauth']]);
    expect(suggested(home)).toEqual({
      anthropic: 'subscription',
      openai: 'metered',
      'openai-codex': 'subscription',
    });
    omp.close();
  });

  it('suggests nothing where there are both, other words, or files that cannot be read', () => {
    const home = newHome();
    expect(suggested(home)).toEqual({});
    signIn(home, { anthropic: { type: 'oauth' }, xai: { type: 'magic' }, groq: 'text', x: null });
    ompHas(home, [['anthropic', 'api_key']]).close();
    expect(suggested(home)).toEqual({});
    writeFileSync(join(home, '.omp', 'agent', 'agent.db'), 'no database');
    writeFileSync(join(home, '.pi', 'agent', 'auth.json'), '{"anthropic"');
    expect(suggested(home)).toEqual({});
  });

  it('leaves no file beside the agent’s own', () => {
    const home = newHome();
    ompHas(home, [['anthropic', 'oauth']]).close();
    const before = readdirSync(join(home, '.omp', 'agent'));
    expect(suggested(home)).toEqual({ anthropic: 'subscription' });
    expect(readdirSync(join(home, '.omp', 'agent'))).toEqual(before);
  });
});
