/** What the migrations of every store must do (collector/stores/, migrations/). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Migrated } from '../../collector/stores/run-migrations.ts';

/** Migrations of the tests: each adds lines to the store, once. */
export interface Step {
  readonly name: string;
  /** Kills the process after its first line. */
  readonly diesHalfWay?: boolean;
  readonly fails?: boolean;
}

export interface StoreToMigrate {
  /** Runs the project's own migrations, then these. */
  migrate(steps: readonly Step[], dryRun?: boolean): Promise<Migrated>;
  /** The lines written by the steps. */
  lines(): Promise<readonly string[]>;
  /** Names of the project's own migrations. */
  readonly own: readonly string[];
  /** Names, in order. */
  recorded(): Promise<readonly string[]>;
  /**
   * The module and argument with which a child process opens the same store
   * (`openStore(argument)`).
   */
  readonly opener: { readonly module: string; readonly argument: unknown };
}

/** Sorts after every released migration. */
const second: Step = { name: '9002-second' };
const third: Step = { name: '9003-third' };

export function linesOf({ name }: Step): readonly [string, string] {
  return [`${name} begun`, `${name} done`];
}

export function migrationsSuite(store: string, open: () => Promise<StoreToMigrate>): void {
  describe(`migrations: ${store}`, () => {
    it('makes a new store, and has nothing to do the next time', async () => {
      const { migrate, recorded, own } = await open();
      expect(await migrate([])).toEqual({ applied: own, pending: [] });
      expect(await migrate([])).toEqual({ applied: [], pending: [] });
      expect(await recorded()).toEqual(own);
    });

    it('runs what is new, in order, once', async () => {
      const { migrate, lines, recorded, own } = await open();
      await migrate([]);
      expect(await migrate([second, third])).toEqual({
        applied: ['9002-second', '9003-third'],
        pending: [],
      });
      expect(await migrate([second, third])).toEqual({ applied: [], pending: [] });
      expect(await lines()).toEqual([...linesOf(second), ...linesOf(third)]);
      expect(await recorded()).toEqual([...own, '9002-second', '9003-third']);
    });

    it('only says what it would do in a dry run', async () => {
      const { migrate, lines, recorded, own } = await open();
      expect(await migrate([second], true)).toEqual({
        applied: [],
        pending: [...own, '9002-second'],
      });
      await migrate([]);
      expect(await migrate([second, third], true)).toEqual({
        applied: [],
        pending: ['9002-second', '9003-third'],
      });
      expect(await lines()).toEqual([]);
      expect(await recorded()).toEqual(own);
    });

    it('refuses a schema that it does not know, names it, and changes nothing', async () => {
      const { migrate, recorded, own } = await open();
      await migrate([second, third]);
      const refused = expect.objectContaining({
        code: 'store_too_new',
        message: expect.stringMatching(/schema (9003-third|9003),.*update pi-ledger/),
      });
      await expect(migrate([second])).rejects.toEqual(refused);
      await expect(migrate([second], true)).rejects.toEqual(refused);
      expect(await recorded()).toEqual([...own, '9002-second', '9003-third']);
    });

    it('stops at one that fails, keeps what came before it, and goes on from there', async () => {
      const { migrate, recorded, own } = await open();
      await expect(migrate([second, { ...third, fails: true }])).rejects.toThrow('9003-third');
      expect(await recorded()).toEqual([...own, '9002-second']);
      expect(await migrate([second, third])).toEqual({ applied: ['9003-third'], pending: [] });
    });

    it('resumes after a kill -9 in the middle of one', async () => {
      const { migrate, lines, recorded, opener, own } = await open();
      await migrate([second]);
      const script = fileURLToPath(new URL('./migrations/child.ts', import.meta.url));
      const steps = JSON.stringify([second, { ...third, diesHalfWay: true }]);
      const child = spawn(
        process.execPath,
        [script, opener.module, JSON.stringify(opener.argument), steps],
        { stdio: 'inherit' },
      );
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
      expect(await recorded()).toEqual([...own, '9002-second']);
      expect(await migrate([second, third])).toEqual({ applied: ['9003-third'], pending: [] });
      expect(await lines()).toEqual([...linesOf(second), ...linesOf(third)]);
    });
  });
}
