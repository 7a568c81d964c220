import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { sqliteMigrations } from '../../../migrations/sqlite/registry.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();
const names = sqliteMigrations.map(({ name }) => name);
let homes = 0;

function home() {
  homes += 1;
  const env = { PI_LEDGER_HOME: join(directory, String(homes)), HOME: directory };
  const migrate = async (...options: string[]) => {
    const lines: string[] = [];
    const print = (line: string): void => {
      lines.push(line);
    };
    const code = await main(['migrate', ...options], {
      env,
      columns: null,
      colour: false,
      now: () => new Date(),
      print,
      complain: print,
    });
    return { code, lines };
  };
  return { env, migrate };
}

describe('pi-ledger migrate', () => {
  it('lists pending migrations, runs them, and has none left', async () => {
    const { migrate } = home();
    expect(await migrate('--dry-run')).toEqual({
      code: 0,
      lines: names.map((name) => `Pending: ${name}`),
    });
    expect(await migrate()).toEqual({ code: 0, lines: names.map((name) => `Done: ${name}`) });
    expect(await migrate('--json')).toEqual({ code: 0, lines: ['{"applied":[],"pending":[]}'] });
    expect(await migrate()).toEqual({ code: 0, lines: ["The store's schema is up to date."] });
  });

  it('does not migrate a store in use by a collector, but lists its migrations', async () => {
    const { env, migrate } = home();
    const ledger = await openLedger(loadCollectorConfig(env));
    expect(await migrate()).toEqual({ code: 1, lines: [expect.stringContaining('stop it first')] });
    expect(await migrate('--dry-run')).toEqual({
      code: 0,
      lines: ["The store's schema is up to date."],
    });
    await ledger.close();
    expect((await migrate()).code).toBe(0);
  });
});
