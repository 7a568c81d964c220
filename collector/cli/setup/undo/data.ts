/** The ledger itself: it stays, unless somebody says the word. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { grouped } from '@pi-ledger/contract/amounts';
import { withRegularFile } from '@pi-ledger/core/machine/regular-file';
import type { CollectorConfig } from '../../../config/config.ts';
import { LedgerError } from '../../../errors.ts';
import { nameOfStore } from '../../../stores/registry.ts';
import { findCollector } from '../../client/running-collector.ts';
import { type Setup, type SetupStep, topicLine } from '../task.ts';
import { emptyHome, hasData, isFile, isLedgersHome, linkedFrom, storeIn } from './home.ts';

export interface DataOptions {
  /** True, or the word itself. */
  readonly data?: true | string;
  readonly force?: true;
}

const word = 'delete';

export function removeData(options: DataOptions): SetupStep {
  const { data } = options;
  return async (setup) => {
    const { config, record, say, warn } = setup;
    const events = await eventsIn(config);
    const store = storeIn(config);
    const held = heldIn(config, store, `${grouped(events)} events`);
    if (!hasData(config, store)) {
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
    if (!isLedgersHome(config, store))
      return [refusal(`stays: nothing in ${config.home} shows that it is a ledger's home`, setup)];
    const waiting = waitingText(config, options);
    if (waiting !== null) return [refusal(waiting, setup)];
    return [
      {
        topic: 'data',
        would: `delete ${held}, after the word "${word}"`,
        question: null,
        refused: '',
        act: () => remove(held, { ...options, data }, setup),
      },
    ];
  };
}

interface Wanted extends DataOptions {
  readonly data: true | string;
}

/** What was there before the question can have changed until the word is typed. */
async function remove(held: string, wanted: Wanted, setup: Setup): Promise<boolean> {
  const { config, isAsking, say, warn } = setup;
  if (!(await isSaid(held, wanted.data, setup))) {
    say('data', isAsking ? 'stays' : `stays: to delete it without a question: --data ${word}`);
    return isAsking;
  }
  if ((await findCollector(config)) !== null) {
    warn('data', 'stays, since a collector runs');
    return false;
  }
  const waiting = waitingText(config, wanted);
  if (waiting !== null) {
    warn('data', waiting);
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
  const { home } = config;
  const store = storeIn(config);
  const left = emptyHome(config, store);
  if (store !== null) say('data', `${held}: deleted`);
  else {
    say('data', `what the ledger wrote into ${home}: deleted`);
    say('data', `${nameOfStore(config.store)} is not in ${home} and stays`);
  }
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

/** A link is deleted alone: what it leads to is somebody's own arrangement. */
function heldIn(config: CollectorConfig, store: string | null, events: string): string {
  const target = store === null ? null : linkedFrom(join(config.home, store));
  return target === null
    ? `${events} in ${nameOfStore(config.store)}`
    : `the link to ${target}, where its ${events} stay`;
}

async function eventsIn({ store }: CollectorConfig): Promise<number> {
  try {
    const { log, close } = await store.driver.openToRead(store.address);
    return await log.head().finally(close);
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'store_missing') return 0;
    throw error;
  }
}

/** Why the data stays; null: nothing waits, or it may be deleted. */
function waitingText({ spoolDirectory }: CollectorConfig, { force }: DataOptions): string | null {
  const waiting = waitingIn(spoolDirectory);
  const remedy = 'pi-ledger report takes them in, --force deletes them';
  const isFree = waiting === 0 || force === true;
  return isFree ? null : `stays: ${grouped(waiting)} events wait in the spool; ${remedy}`;
}

/** What no collector has acknowledged; rejected events are not among them. */
function waitingIn(spoolDirectory: string): number {
  return globSync(['*/*.ndjson', 'adopted/*/*.ndjson'], { cwd: spoolDirectory })
    .filter((path) => !path.startsWith('rejected'))
    .map((path) => join(spoolDirectory, path))
    .filter(isFile)
    .reduce((sum, path) => sum + linesIn(path), 0);
}

const readBytes = 1024 * 1024;

/** The file may have become a pipe a moment ago: that is an error, and nothing waits. */
function linesIn(path: string): number {
  return withRegularFile(path, (read, size) => {
    let lines = 0;
    for (let at = 0; at < size; at += readBytes)
      lines += read(at, readBytes).filter((byte) => byte === newline).length;
    return lines;
  });
}

const newline = 0x0a;
