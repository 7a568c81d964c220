/**
 * The store that the page is measured on: a company's quarter (../overview/work.ts) and one session
 * of 20,000 turns, with its log and every view. It takes minutes to build, so it is kept:
 * `~/.cache/pi-ledger-test/bench`, or PI_LEDGER_BENCH_CACHE.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { createLoad } from '../context/session.ts';
import { benchCache } from '../kept-lines.ts';
import { work } from '../overview/work.ts';

export const longTurns = 20_000;
const batchEvents = 1_000;

/** Home of a collector; whole sessions, so there may be a few more events. */
export async function keptStore(events: number): Promise<string> {
  const home = join(benchCache(), `page-${events}`);
  if (!existsSync(home)) {
    const unfinished = `${home}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    await write(unfinished, load(events));
    renameSync(unfinished, home);
  }
  await write(home, []);
  return home;
}

/** Folds what is not folded yet, too: a view may have become another one since. */
async function write(home: string, batches: Iterable<readonly LedgerEvent[]>): Promise<void> {
  const ledger = await openLedger(loadCollectorConfig({ PI_LEDGER_HOME: home }));
  try {
    for (const batch of batches) {
      const { accepted } = await ledger.ingest.accept(batch);
      if (accepted !== batch.length)
        throw new Error(`the store took ${accepted} of ${batch.length} events`);
    }
    await ledger.subscription.catchUp();
  } finally {
    await ledger.close();
  }
}

function* load(events: number): Generator<readonly LedgerEvent[]> {
  let batch: LedgerEvent[] = [];
  let made = 0;
  for (const some of sessions(events)) {
    batch.push(...some);
    made += some.length;
    if (batch.length >= batchEvents || made >= events) {
      yield batch;
      batch = [];
    }
    if (made >= events) return;
  }
}

function* sessions(events: number): Generator<readonly LedgerEvent[]> {
  const long = createLoad();
  for (let turn = 0; turn < Math.min(longTurns, events / 10); turn += 1) yield long.turn();
  yield* work();
}
