/**
 * Sequence numbers received from each producer, written in the transaction of the append.
 *
 * One row per range: a batch touches only the ranges next to its own, however many a producer has.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Receipt, SequencePlace } from '../../../log/log.ts';
import { joinRanges, type SequenceRange, toRanges } from '../../../log/ranges.ts';

export interface SqliteReceipts {
  /**
   * Runs inside the caller's transaction. Events without a sequence number (imported ones) leave no
   * receipt.
   */
  record(places: readonly SequencePlace[]): void;
  /** Reads those of these sources, or all. */
  read(sources?: readonly string[]): Receipt[];
}

export function createSqliteReceipts(database: DatabaseSync): SqliteReceipts {
  const upTo = database.prepare(
    'SELECT first, last FROM receipts WHERE source = ? AND first <= ? ORDER BY first DESC',
  );
  const remove = database.prepare(
    'DELETE FROM receipts WHERE source = ? AND first BETWEEN ? AND ?',
  );
  const insert = database.prepare('INSERT INTO receipts (source, first, last) VALUES (?, ?, ?)');
  const all = database.prepare('SELECT source, first, last FROM receipts ORDER BY source, first');
  const bySource = database.prepare(
    'SELECT source, first, last FROM receipts WHERE source = ? ORDER BY first',
  );

  function recordRange(source: string, range: SequenceRange): void {
    const touching = touchingRanges(source, range);
    const [only] = touching;
    if (only !== undefined && only[0] <= range[0] && only[1] >= range[1]) return;
    const [joined = range] = joinRanges([...touching, range]);
    remove.run(source, joined[0], joined[1]);
    insert.run(source, joined[0], joined[1]);
  }

  /** Stored ranges that overlap this one or are adjacent to it, newest first. */
  function touchingRanges(source: string, [first, last]: SequenceRange): SequenceRange[] {
    const touching: SequenceRange[] = [];
    for (const row of upTo.iterate(source, last + 1)) {
      const stored = row as { first: number; last: number };
      if (stored.last < first - 1) break;
      touching.push([stored.first, stored.last]);
    }
    return touching;
  }

  return {
    record(places) {
      for (const [source, sequences] of sequencesBySource(places)) {
        for (const range of toRanges(sequences)) recordRange(source, range);
      }
    },
    read(sources) {
      const rows =
        sources === undefined ? all.all() : sources.flatMap((source) => bySource.all(source));
      return groupBySource(rows as unknown as readonly ReceiptRow[]);
    },
  };
}

interface ReceiptRow {
  readonly source: string;
  readonly first: number;
  readonly last: number;
}

function sequencesBySource(places: readonly SequencePlace[]): Map<string, number[]> {
  const bySource = new Map<string, number[]>();
  for (const { source, sequence } of places) {
    if (sequence === undefined) continue;
    const sequences = bySource.get(source);
    if (sequences === undefined) bySource.set(source, [Number(sequence)]);
    else sequences.push(Number(sequence));
  }
  return bySource;
}

function groupBySource(rows: readonly ReceiptRow[]): Receipt[] {
  const bySource = new Map<string, SequenceRange[]>();
  for (const { source, first, last } of rows) {
    const ranges = bySource.get(source);
    if (ranges === undefined) bySource.set(source, [[first, last]]);
    else ranges.push([first, last]);
  }
  return [...bySource].map(([source, ranges]) => ({ source, ranges }));
}
