/**
 * Events as large as the contract allows: readers of the log hold some megabytes of them in memory,
 * not a thousand events.
 */
import { readFileSync } from 'node:fs';
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { readCatalogue } from '../../../collector/answers/reprice/catalogue.ts';
import { createReprice } from '../../../collector/answers/reprice/reprice.ts';
import { checkLog } from '../../../collector/log/check-log.ts';
import type { Log } from '../../../collector/log/log.ts';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';
import { sealedDocuments } from '../../../collector/seal/documents.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { turn } from '../projections/support/given.ts';
import { contentsOf, expectContents, expectedContents, ledgers } from './ledger.ts';

const { open } = ledgers();

const at = '2026-11-22T10:00:00.000Z';
const rawUsage = { pad: 'x'.repeat(200_000) };
const given: readonly LedgerEvent[] = Array.from({ length: 120 }, (_, index) =>
  turn(at, { rawUsage }, `s${index}`),
);
/** As much as one read, and the event that makes it full. */
const charsMax = 8 * 1024 * 1024 + 256 * 1024;

/** The same log, and the most characters that one read brought. */
function measured(log: Log) {
  let most = 0;
  const measure = (events: readonly StoredEvent[]): readonly StoredEvent[] => {
    most = Math.max(most, JSON.stringify(events.map(({ event }) => event)).length);
    return events;
  };
  const below: Log['history']['below'] = async (...asked) =>
    measure(await log.history.below(...asked));
  const read: Log['read'] = async (...asked) => measure(await log.read(...asked));
  return { log: { ...log, read, history: { ...log.history, below } }, most: () => most };
}

async function filled() {
  const ledger = open();
  await ledger.append(given);
  // As after a restart: nothing of it is in memory.
  return { ...ledger, ...measured(openSqliteLog({ path: ledger.path, readOnly: true })) };
}

describe('large events are read some megabytes at a time', () => {
  it('by the fold, to the end of the log', async () => {
    const ledger = await filled();
    await ledger.subscribe({ log: ledger.log }).catchUp();
    expectContents(await contentsOf(ledger.views), expectedContents(given));
    expect(ledger.most()).toBeLessThan(charsMax);
    await ledger.log.close();
  });

  it('by a seal', async () => {
    const ledger = await filled();
    const options = {
      log: ledger.log,
      projections: [sessions],
      before: null,
      floorMs: Date.parse(at) + 1,
      first: 1_000,
      classes: 1,
    };
    let documents = 0;
    for await (const _ of sealedDocuments(options)) documents += 1;
    expect(documents).toBe(given.length);
    expect(ledger.most()).toBeLessThan(charsMax);
    await ledger.log.close();
  });

  it('by a new price list', async () => {
    const ledger = await filled();
    await ledger.subscribe().catchUp();
    const catalogue = readCatalogue(
      JSON.parse(
        readFileSync(new URL('../answers/reprice/price-list.json', import.meta.url), 'utf8'),
      ),
    );
    if (catalogue.is !== 'read') throw new Error('the price list cannot be read');
    const { prices } = catalogue;
    const rows = await createReprice({ log: ledger.log, views: ledger.views, sessions })({
      prices,
      by: ['project'],
      where: [],
    });
    expect(rows.reduce((sum, { measures }) => sum + (measures.records ?? 0n), 0n)).toBe(
      BigInt(given.length),
    );
    expect(ledger.most()).toBeLessThan(charsMax);
    await ledger.log.close();
  });

  it('by a check of the log', async () => {
    const ledger = await filled();
    expect(await checkLog(ledger.log, 1)).toEqual({ events: given.length, damaged: 0, first: [] });
    expect(ledger.most()).toBeLessThan(charsMax);
    await ledger.log.close();
  });
});
