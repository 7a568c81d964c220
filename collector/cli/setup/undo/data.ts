/** The ledger itself: it stays, unless somebody says the word. */
import { existsSync, globSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { CollectorConfig } from '../../../config/config.ts';
import { LedgerError } from '../../../errors.ts';
import { nameOfStore } from '../../../stores/registry.ts';
import { findCollector } from '../../client/running-collector.ts';
import { formatCount } from '../../output/format.ts';
import { type Setup, type Step, topicLine } from '../task.ts';

export interface DataOptions {
  /** True, or the word itself. */
  readonly data?: true | string;
  readonly force?: true;
}

const word = 'delete';

export function removeData({ data, force }: DataOptions): Step {
  return async (setup) => {
    const { config, record, say, warn } = setup;
    const events = await eventsIn(config);
    const held = `${formatCount(events)} events in ${nameOfStore(config.store)}`;
    if (!hasData(config)) {
      say('data', `nothing is in ${config.home}`);
      return [];
    }
    if (data === undefined) {
      say('data', `stays: ${held} (uninstall --data deletes them)`);
      return [];
    }
    if (record.done().service !== null) {
      warn('data', 'stays, since the service does');
      return [];
    }
    const waiting = waitingIn(config.spoolDirectory);
    const remedy = 'pi-ledger report takes them in, --force deletes them';
    if (waiting > 0 && force !== true)
      return [refusal(`stays: ${formatCount(waiting)} events wait in the spool; ${remedy}`, setup)];
    return [
      {
        topic: 'data',
        would: `delete ${held}, after the word "${word}"`,
        question: null,
        refused: '',
        act: () => remove(held, data, setup),
      },
    ];
  };
}

async function remove(held: string, data: true | string, setup: Setup): Promise<boolean> {
  const { config, isAsking, say, warn } = setup;
  if (!(await isSaid(held, data, setup))) {
    say('data', isAsking ? 'stays' : `stays: to delete it without a question: --data ${word}`);
    return isAsking;
  }
  if ((await findCollector(config)) !== null) {
    warn('data', 'stays, since a collector runs');
    return false;
  }
  removeFrom(held, setup);
  return true;
}

async function isSaid(held: string, data: true | string, setup: Setup): Promise<boolean> {
  if (data === word) return true;
  return (
    setup.isAsking &&
    setup.questions.confirm(topicLine('data', `delete ${held}? Type ${word}:`), word)
  );
}

function removeFrom(held: string, { config, say }: Setup): void {
  const { home, store } = config;
  const storeHere = storeIn(config);
  for (const name of namesIn(home)) {
    if (isOurs(name, storeHere)) rmSync(join(home, name), { recursive: true, force: true });
  }
  const left = namesIn(home);
  if (left.length === 0 && existsSync(home)) rmdirSync(home);
  say('data', storeHere === null ? `${home} is empty` : `${held}: deleted`);
  if (storeHere === null) say('data', `${nameOfStore(store)} is not in ${home} and stays`);
  if (left.length > 0) say('data', `left in ${home}: ${left.join(', ')}`);
}

/** It fails, asked or not. */
function refusal(why: string, { warn }: Setup) {
  return {
    topic: 'data',
    would: `do nothing: the data ${why}`,
    question: null,
    refused: '',
    async act() {
      warn('data', why);
      return false;
    },
  };
}

/** Everything that the ledger itself writes into its home; not the user's `config.json`. */
function isOurs(name: string, store: string | null): boolean {
  if (files.has(name)) return true;
  // SQLite keeps files beside a database; the lock of a store is one, too.
  const database = name.replace(/-(wal|shm|journal)$/, '');
  const lock = store === null ? null : `${store.replace(/\.db$/, '')}.lock`;
  return ['imports.db', store, lock].includes(database);
}

const files = new Set('spool cache home.key collector.json exports.json insights.json'.split(' '));

async function eventsIn({ store }: CollectorConfig): Promise<number> {
  try {
    const { log, close } = await store.driver.openToRead(store.address);
    return await log.head().finally(close);
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'store_missing') return 0;
    throw error;
  }
}

/** What no collector has acknowledged; rejected events are not among them. */
function waitingIn(spoolDirectory: string): number {
  const segments = globSync(['*/*.ndjson', 'adopted/*/*.ndjson'], { cwd: spoolDirectory });
  const lines = segments
    .filter((path) => !path.startsWith('rejected'))
    .map((path) => readFileSync(join(spoolDirectory, path), 'utf8').split('\n').length - 1);
  return lines.reduce((sum, count) => sum + count, 0);
}

/** The name of the store's file in this home; null if it lies elsewhere. */
function storeIn({ home, store: { driver, address } }: CollectorConfig): string | null {
  const isHere = driver.directoriesOf(address).some((folder) => resolve(folder) === resolve(home));
  return isHere ? basename(address) : null;
}

function hasData(config: CollectorConfig): boolean {
  const store = storeIn(config);
  return namesIn(config.home).some((name) => name !== 'cache' && isOurs(name, store));
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
