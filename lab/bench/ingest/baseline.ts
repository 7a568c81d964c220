/**
 * What the same bytes cost at the least, in a process of its own; prints JSON.
 *
 *     node baseline.ts parse|insert <bodies.ndjson> <database>
 *
 * `parse`: JSON.parse of each body. `insert`: a row for each event in SQLite (WAL, synchronous
 * FULL, one transaction per body), its id unique.
 */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface BaselineFigures {
  readonly wallSeconds: number;
  /** User and system time of all threads. */
  readonly cpuSeconds: number;
}

interface IdentifiedEvent {
  readonly id: string;
}

function main([what, bodiesPath = '', databasePath = '']: readonly string[]): void {
  const bodies = readFileSync(bodiesPath, 'utf8').trimEnd().split('\n');
  console.log(
    JSON.stringify(
      what === 'parse' ? measure(() => parseAll(bodies)) : measureInsert(bodies, databasePath),
    ),
  );
}

function measure(act: () => void): BaselineFigures {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  act();
  const wallSeconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { wallSeconds, cpuSeconds: (user + system) / 1_000_000 };
}

function parseAll(bodies: readonly string[]): void {
  let events = 0;
  for (const body of bodies) events += (JSON.parse(body) as unknown[]).length;
  if (events === 0) throw new Error('no events');
}

function measureInsert(bodies: readonly string[], databasePath: string): BaselineFigures {
  const batches = bodies.map((body) =>
    (JSON.parse(body) as IdentifiedEvent[]).map((event) => ({
      id: event.id,
      text: JSON.stringify(event),
    })),
  );
  const database = new DatabaseSync(databasePath);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec(
    `CREATE TABLE events (
      position INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      received_at_ms INTEGER NOT NULL,
      event TEXT NOT NULL
    ) STRICT`,
  );
  const insert = database.prepare(
    'INSERT INTO events (id, received_at_ms, event) VALUES (?, ?, ?)',
  );
  const figures = measure(() => {
    for (const batch of batches) {
      database.exec('BEGIN');
      for (const { id, text } of batch) insert.run(id, 1_700_000_000_000, text);
      database.exec('COMMIT');
    }
  });
  database.close();
  return figures;
}

if (import.meta.main) main(process.argv.slice(2));
