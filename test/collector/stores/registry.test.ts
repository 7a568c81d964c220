import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { StoreLocation } from '../../../collector/stores/driver.ts';
import { mongodb } from '../../../collector/stores/mongodb/driver.ts';
import { isSameStore, nameOfStore, readStoreLocation } from '../../../collector/stores/registry.ts';
import { sqlite } from '../../../collector/stores/sqlite/driver.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();

describe('the location of a store', () => {
  it.each([
    ['sqlite:/data/ledger.db', sqlite, '/data/ledger.db'],
    ['mongodb://db.example/ledger', mongodb, 'mongodb://db.example/ledger'],
    ['mongodb://a:1,b:2/?replicaSet=rs0', mongodb, 'mongodb://a:1,b:2/?replicaSet=rs0'],
    ['mongodb+srv://u:p@db.example', mongodb, 'mongodb+srv://u:p@db.example'],
  ])('%s is understood', (text, driver, address) => {
    expect(readStoreLocation(text)).toEqual({ driver, address });
  });

  it.each([
    '',
    'sqlite:relative.db',
    '/data/ledger.db',
    'mongodb://',
    'mongodb:///x',
    'postgres://x',
    5,
    null,
  ])('%s is not', (value) => {
    expect(readStoreLocation(value)).toBeUndefined();
  });

  it('is named without user, password and options', () => {
    expect(
      nameOfStore({
        driver: mongodb,
        address: 'mongodb://user:pa%40ss@db.example:27017/ledger?authSource=admin&x=y',
      }),
    ).toBe('mongodb://db.example:27017/ledger');
    expect(nameOfStore({ driver: sqlite, address: '/data/x.db' })).toBe('/data/x.db');
  });

  it('is the same store by another path, user or option, and no other one', () => {
    const file = join(directory, 'ledger.db');
    writeFileSync(file, '');
    symlinkSync(file, join(directory, 'link.db'));
    const at = (address: string, driver = sqlite): StoreLocation => ({ driver, address });
    expect(isSameStore(at(file), at(join(directory, 'link.db')))).toBe(true);
    expect(isSameStore(at('/none/a/../b.db'), at('/none/b.db'))).toBe(true);
    expect(isSameStore(at(file), at(join(directory, 'other.db')))).toBe(false);
    const server = 'mongodb://db.example/ledger';
    expect(
      isSameStore(at(server, mongodb), at('mongodb://u:p@db.example/ledger?x=1', mongodb)),
    ).toBe(true);
    expect(isSameStore(at(server, mongodb), at('mongodb://db.example/other', mongodb))).toBe(false);
    expect(isSameStore(at(server, mongodb), at(server))).toBe(false);
  });
});

/** Prints the modules that a process loads to read a location, and to open it. */
const opening = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
  const { readStoreLocation } = await import(process.argv[1]);
  const { driver, address } = readStoreLocation(process.argv[2]);
  if (process.argv[3] === 'open') {
    const { close } = await driver.open(address, { now: Date.now, onError: console.error });
    await close();
  }
  console.log(JSON.stringify(loaded));
`;

async function loadedBy(...args: string[]): Promise<readonly string[]> {
  const registry = new URL('../../../collector/stores/registry.ts', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    opening,
    registry,
    ...args,
  ]);
  const root = new URL('../../../', import.meta.url).href;
  return (JSON.parse(stdout) as string[]).map((url) =>
    url.startsWith(root) ? fileURLToPath(url).slice(fileURLToPath(root).length) : url,
  );
}

describe('a technology', () => {
  const isOf = (technology: string) => (url: string) =>
    url.includes(`stores/${technology}/`) || url.includes(`node_modules/${technology}/`);
  const light = ['sqlite/driver', 'mongodb/address', 'mongodb/driver'];

  it('is not loaded for a location that is only read', async () => {
    const loaded = await loadedBy('mongodb://db.example/ledger');
    expect(loaded.filter((url) => isOf('mongodb')(url) || isOf('sqlite')(url)).sort()).toEqual(
      light.map((name) => `collector/stores/${name}.ts`).sort(),
    );
    expect(loaded).not.toContain('node:sqlite');
  });

  it('is not loaded for a store of another one', async () => {
    const loaded = await loadedBy(`sqlite:${join(directory, 'own', 'ledger.db')}`, 'open');
    expect(loaded).toEqual(
      expect.arrayContaining(['collector/stores/sqlite/log/log.ts', 'node:sqlite']),
    );
    expect(loaded.filter(isOf('mongodb')).sort()).toEqual([
      'collector/stores/mongodb/address.ts',
      'collector/stores/mongodb/driver.ts',
    ]);
  });
});
