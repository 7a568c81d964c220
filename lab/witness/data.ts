/** What the witness records: the same events and files for each tree. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { demoMonth } from '../../collector/cli/demo/month.ts';
import { corpusCases, sessionDirectories } from '../../test/collector/reconcile/support/corpus.ts';
import { packageCases } from '../../test/collector/reconcile/support/package-corpus.ts';
import { inBatches } from '../bench/demo-events.ts';
import { live } from '../bench/growth/grow.ts';
import { liveEvents } from '../bench/live-work.ts';
import { now, runOrThrow, type Subject } from './tree.ts';

export interface DataSet {
  readonly name: string;
  /** The days that are asked for, as `2026-12-01`. */
  readonly since: string;
  readonly until: string;
  /** Options that name its session files, for `import` and `reconcile`. */
  readonly directories: readonly string[];
  fill(subject: Subject): Promise<void>;
}

const today = now.toISOString().slice(0, 10);
const limits = [
  { name: 'all', per: 'month', limit: 500, in: 'metered dollars', timeZone: 'UTC' },
  { name: 'shop', project: 'demo-shop', per: 'day', limit: 5, in: 'metered dollars' },
  { name: 'plan', per: 'week', limit: 60, in: 'list-price dollars', timeZone: 'Asia/Tokyo' },
];

/** A made-up month with budgets. */
export function demo(): DataSet {
  return {
    ...{ name: 'demo', since: '2026-12-01', until: '2026-12-09', directories: [] },
    async fill(subject) {
      writeSettings(subject, { budgets: limits });
      const month = { until: now, days: 30, seed: 20, sessionsPerDay: 2, now };
      await importEvents(subject, demoMonth(month));
    },
  };
}

/** Ninety days of a thousand users, as far as so many events go. */
export function growth(events: number): DataSet {
  return {
    ...{ name: 'growth', since: '2026-08-21', until: '2026-08-23', directories: [] },
    fill: (subject) => importEvents(subject, firstOf(liveEvents(live, 0), events)),
  };
}

/** The accounting corpus, the recordings of packages, and further directories, in one ledger. */
export function files(further: readonly string[]): DataSet {
  const ofCases = corpusCases().flatMap((each) => sessionDirectories(each));
  const ofPackages = packageCases().map(({ host, home, directory }) => ({
    host,
    directory: join(home, directory ?? join(`.${host}`, 'agent', 'sessions')),
  }));
  const named = [...ofCases, ...ofPackages].map(({ host, directory }) => [`--${host}`, directory]);
  const others = further.map((directory) => [hostOf(directory), directory]);
  return fromFiles('files', [...named, ...others].flat());
}

/** Each case of the corpus in a ledger of its own. */
export function corpus(): readonly DataSet[] {
  return corpusCases().map((each) =>
    fromFiles(
      `corpus/${each.name}`,
      sessionDirectories(each).flatMap(({ host, directory }) => [`--${host}`, directory]),
    ),
  );
}

function fromFiles(name: string, directories: readonly string[]): DataSet {
  return {
    ...{ name, since: '2026-11-01', until: today, directories },
    fill: async (subject) => void (await runOrThrow(subject, 'import', ...directories)),
  };
}

/** A recording of oh-my-pi says so in its path. */
function hostOf(directory: string): string {
  return directory.includes('omp') ? '--omp' : '--pi';
}

const linesAtOnce = 1_000;

async function importEvents(subject: Subject, events: Iterable<LedgerEvent>): Promise<void> {
  const path = join(subject.home, 'events.ndjson');
  const file = await open(path, 'w');
  try {
    for (const batch of inBatches(events, linesAtOnce))
      await file.write(batch.map((event) => `${JSON.stringify(event)}\n`).join(''));
  } finally {
    await file.close();
  }
  await runOrThrow(subject, 'import-events', path);
}

function* firstOf<Item>(items: Iterable<Item>, count: number): Generator<Item> {
  let left = count;
  for (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}

function writeSettings({ home }: Subject, settings: object): void {
  const directory = join(home, '.pi-ledger');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'config.json'), JSON.stringify(settings));
}
