/**
 * The file of the store is removed, replaced or opened under another name while a collector runs on
 * it.
 */
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CollectorConfig } from '../../../collector/config/config.ts';
import { openLedger, startCollector } from '../../../collector/main.ts';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { sqlite } from '../../../collector/stores/sqlite/driver.ts';
import { lockStore } from '../../../collector/stores/sqlite/lock.ts';
import { readSqliteStoreId } from '../../../collector/stores/sqlite/to-read.ts';
import { exampleEvents } from '../support/events.ts';
import { get, ledgerHomes, post } from '../support/ledger.ts';

const homes = ledgerHomes();
const opened: Ledger[] = [];
afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
});

const now = (): number => Date.parse('2026-11-22T12:00:00.000Z');
async function open(config: CollectorConfig): Promise<Ledger> {
  const ledger = await openLedger(config, { now });
  opened.push(ledger);
  return ledger;
}
const fileIn = ({ home }: CollectorConfig, name = 'ledger.db'): string => join(home, name);
const at = (address: string): CollectorConfig['store'] => ({ driver: sqlite, address });

describe('a store that is taken away from its collector', () => {
  it.each([
    ['removed', (config: CollectorConfig) => rmSync(fileIn(config))],
    [
      'removed with all that belongs to it',
      (config: CollectorConfig) => rmSync(config.home, { recursive: true }),
    ],
    [
      'without its write-ahead log',
      (config: CollectorConfig) => rmSync(fileIn(config, 'ledger.db-wal')),
    ],
    [
      'replaced by a copy of itself',
      (config: CollectorConfig) => {
        copyFileSync(fileIn(config), fileIn(config, 'copy.db'));
        renameSync(fileIn(config, 'copy.db'), fileIn(config));
      },
    ],
    [
      'replaced by an empty one',
      (config: CollectorConfig) => {
        rmSync(fileIn(config));
        writeFileSync(fileIn(config), '');
      },
    ],
  ])('%s: nothing is acknowledged any more, and it says why', async (_name, take) => {
    const config = homes.config();
    const ledger = await open(config);
    expect((await post(ledger, exampleEvents(1, 5))).status).toBe(200);
    expect((await get(ledger, '/health/ready')).status).toBe(200);
    take(config);
    const refused = await post(ledger, exampleEvents(6, 5));
    expect(refused.status).toBe(503);
    expect(refused.json()).toMatchObject({
      code: 'store_gone',
      message: expect.stringContaining('removed or replaced'),
    });
    const health = await get(ledger, '/health/ready');
    expect(health.status).toBe(503);
    expect(health.json().problems).toContainEqual(expect.stringContaining('removed or replaced'));
    const wish = { user: 'ada', scopes: ['read'] };
    const token = await ledger.app.inject({
      method: 'POST',
      url: '/v1/tokens',
      headers: { host: 'localhost' },
      payload: wish,
    });
    expect(token.statusCode).toBe(503);
  });

  it('goes on when it is put back', async () => {
    const config = homes.config();
    const ledger = await open(config);
    await post(ledger, exampleEvents(1, 5));
    renameSync(fileIn(config), fileIn(config, 'away.db'));
    expect((await post(ledger, exampleEvents(6, 5))).status).toBe(503);
    renameSync(fileIn(config, 'away.db'), fileIn(config));
    expect((await post(ledger, exampleEvents(1, 10))).json()).toMatchObject({
      accepted: 5,
      duplicates: 5,
    });
    expect((await get(ledger, '/health/ready')).status).toBe(200);
  });
});

describe('a second collector on the same file', () => {
  it.each([
    ['by a link to the file', (file: string, other: string) => symlinkSync(file, other)],
    [
      'by a link to a link',
      (file: string, other: string) => {
        symlinkSync(file, `${other}.first`);
        symlinkSync(`${other}.first`, other);
      },
    ],
  ])('%s is refused', async (_name, link) => {
    const [first, second] = [homes.config(), homes.config()];
    await open(first);
    mkdirSync(second.home, { recursive: true });
    link(fileIn(first), fileIn(second));
    const before = readdirSync(first.home).toSorted();
    expect((await open(second)).readOnly).toBe(true);
    await expect(startCollector(second)).rejects.toMatchObject({ code: 'store_locked' });
    expect(readdirSync(first.home).toSorted()).toEqual(before);
  });

  it('by a link to its directory is refused', async () => {
    const [first, second] = [homes.config(), homes.config()];
    await open(first);
    symlinkSync(first.home, second.home);
    expect((await open({ ...first, home: second.home, store: at(fileIn(second)) })).readOnly).toBe(
      true,
    );
  });

  it('by a link that led to it before it was there is refused', async () => {
    const [first, second] = [homes.config(), homes.config()];
    mkdirSync(second.home, { recursive: true });
    symlinkSync(fileIn(first), fileIn(second));
    const linked = await open(second);
    expect(linked.readOnly).toBe(false);
    expect(await readSqliteStoreId(fileIn(first))).toBe(linked.storeId);
    expect((await open(first)).readOnly).toBe(true);
  });

  it('by a second name of it is refused, and it is said what to do', async () => {
    const [first, second] = [homes.config(), homes.config()];
    const ledger = await open(first);
    await post(ledger, exampleEvents(1, 5));
    mkdirSync(second.home, { recursive: true });
    linkSync(fileIn(first), fileIn(second));
    await expect(open(second)).rejects.toMatchObject({
      code: 'store_linked',
      message: expect.stringContaining('hard links'),
    });
    rmSync(fileIn(second));
    expect(lockStore(fileIn(first))).toBeNull();
  });

  it('by a link that leads to itself says so', async () => {
    const config = homes.config();
    mkdirSync(config.home, { recursive: true });
    symlinkSync(fileIn(config), fileIn(config));
    expect(() => lockStore(fileIn(config))).toThrow('ELOOP');
  });
});
