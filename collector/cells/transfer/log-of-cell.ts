/**
 * The part of a log that belongs to one cell of a ledger with several: read from the whole, once
 * for each cell. What is of no session (dead letters, receipts without an event, what is damaged)
 * is the first cell's.
 *
 * Contract: as log.ts, for what copying reads; positions are those of the whole log.
 */

import { partitionOf } from '../../ingest/kafka/partition-of.ts';
import { createBoundedList } from '../../log/bounded-list.ts';
import type { Log } from '../../log/log.ts';
import { readEvent, type StoredText } from '../../log/stored-event.ts';

export interface CellNumber {
  readonly cell: number;
  readonly cells: number;
}

const readEventsMax = 1_000;
const readCharsMax = 8 * 1024 * 1024;

export function logOfCell(log: Log, { cell, cells }: CellNumber): Log {
  const isFirst = cell === 0;

  function isOfCell(text: StoredText): boolean {
    const { event, damage } = readEvent(text);
    return damage === undefined ? partitionOf(event, cells) === cell : isFirst;
  }

  async function readTexts(
    after: number,
    limit: number,
    charsMax = Number.POSITIVE_INFINITY,
  ): Promise<readonly StoredText[]> {
    const list = createBoundedList<StoredText>(({ text }) => text.length, charsMax);
    for (let position = after; ; ) {
      const texts = await log.readTexts(position, readEventsMax, readCharsMax);
      const last = texts.at(-1);
      if (last === undefined) return list.items;
      for (const text of texts.filter(isOfCell))
        if (!list.add(text) || list.items.length === limit) return list.items;
      position = last.position;
    }
  }

  return {
    ...log,
    readTexts,
    receipts: async (sources) => (isFirst ? log.receipts(sources) : []),
    deadLetters: async (...where) => (isFirst ? log.deadLetters(...where) : []),
  };
}
