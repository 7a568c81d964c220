/**
 * What a rebuild cannot do without, in a process of its own: reading the log's rows in order, and
 * JSON.parse of each event. Prints JSON.
 *
 *     node baseline.ts <ledger.db>
 */
import { DatabaseSync } from 'node:sqlite';

export interface RebuildBaseline {
  readonly events: number;
  readonly readSeconds: number;
  readonly parseSeconds: number;
}

const chunkEvents = 1_000;

function main([path = '']: readonly string[]): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const select = database.prepare(
    `SELECT position, received_at_ms, event FROM events
     WHERE position > ? ORDER BY position LIMIT ?`,
  );
  select.setReturnArrays(true);
  const figures = { events: 0, readSeconds: 0, parseSeconds: 0 };
  for (;;) {
    const startedMs = performance.now();
    const rows = select.all(figures.events, chunkEvents) as unknown as readonly (readonly [
      number,
      number,
      string,
    ])[];
    const readMs = performance.now();
    for (const [, , event] of rows) JSON.parse(event);
    figures.readSeconds += (readMs - startedMs) / 1_000;
    figures.parseSeconds += (performance.now() - readMs) / 1_000;
    figures.events += rows.length;
    if (rows.length < chunkEvents) break;
  }
  database.close();
  console.log(JSON.stringify(figures satisfies RebuildBaseline));
}

if (import.meta.main) main(process.argv.slice(2));
