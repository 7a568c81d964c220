import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { ensureHomeKey, readHomeKey } from '../../../core/proof/home-key.ts';
import { temporaryDirectory } from '../spool/support/places.ts';

const run = promisify(execFile);
const module = new URL('../../../core/proof/home-key.ts', import.meta.url).href;
let home = '';
beforeEach(() => {
  home = temporaryDirectory();
});

describe("the home's key", () => {
  it('is made once, for its owner alone', async () => {
    expect(await readHomeKey(home)).toBeNull();
    const key = await ensureHomeKey(home);
    expect(key).toHaveLength(32);
    expect(await ensureHomeKey(home)).toEqual(key);
    expect(await readHomeKey(home)).toEqual(key);
    expect(statSync(join(home, 'home.key')).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(['home.key']);
  });

  it('is the same for all processes that make it at once', async () => {
    const script = `
      const { ensureHomeKey } = await import(${JSON.stringify(module)});
      console.log((await ensureHomeKey(process.argv[1])).toString('hex'));
    `;
    const made = await Promise.all(
      Array.from({ length: 6 }, () =>
        run(process.execPath, ['--input-type=module', '-e', script, home]).then(
          ({ stdout }) => stdout,
        ),
      ),
    );
    expect(new Set(made).size).toBe(1);
    expect(readFileSync(join(home, 'home.key'), 'utf8')).toBe(made[0]);
  });

  it.each([[''], ['0123'], ['g'.repeat(64)], ['0'.repeat(65)], ['0'.repeat(1_000_000)]])(
    'is replaced if the file contains %j',
    async (text) => {
      writeFileSync(join(home, 'home.key'), text);
      expect(await readHomeKey(home)).toBeNull();
      expect(await ensureHomeKey(home)).toHaveLength(32);
      expect(statSync(join(home, 'home.key')).mode & 0o777).toBe(0o600);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'is no pipe, no device and no directory, and none of these holds up who reads it',
    async () => {
      const path = join(home, 'home.key');
      execFileSync('mkfifo', [path]);
      expect(await readHomeKey(home)).toBeNull();
      rmSync(path);
      execFileSync('ln', ['-s', '/dev/zero', path]);
      expect(await readHomeKey(home)).toBeNull();
      rmSync(path);
      mkdirSync(path);
      expect(await readHomeKey(home)).toBeNull();
      await expect(ensureHomeKey(home)).rejects.toThrow();
      expect(await readdir(home)).toEqual(['home.key']);
    },
  );
});
