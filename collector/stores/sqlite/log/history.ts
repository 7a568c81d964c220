/**
 * Seals in a SQLite file, and the deletion that they allow: of all but withdrawals, which hold for
 * what comes later, too. The seal in force is a row of `meta`, stored as JSON.
 */
import type { DatabaseSync } from 'node:sqlite';
import { createBoundedList } from '../../../log/bounded-list.ts';
import { floorId, type History, type Seal, sealedType } from '../../../log/history.ts';
import { readEvent } from '../../../log/stored-event.ts';

export interface SqliteHistory extends History {
  /**
   * Events with lower ids are not stored; empty when there is no floor. Read it inside the
   * transaction of the append.
   */
  idMin(): string;
}

export interface SqliteHistoryOptions {
  readonly database: DatabaseSync;
  transact<Result>(write: () => Result): Result;
  /** Drops events from memory: they may have been deleted. */
  onExpired(): void;
}

interface EventRow {
  readonly position: number;
  readonly receivedAtMs: number;
  readonly eventId: string;
  readonly text: string;
}

export function createSqliteHistory({
  database,
  transact,
  onExpired,
}: SqliteHistoryOptions): SqliteHistory {
  const seals = database.prepare("SELECT value FROM meta WHERE key = 'seal'");
  const positions = database.prepare('SELECT position FROM events WHERE id = ?');
  const below = database.prepare(
    `SELECT position, received_at_ms AS receivedAtMs, id AS eventId, event AS text FROM events
     WHERE id > ? AND id < ? AND position < ? ORDER BY id LIMIT ?`,
  );
  const count = database.prepare(
    `SELECT count(*) AS events FROM events
     WHERE id < ? AND id NOT IN (SELECT event_id FROM withdrawals)`,
  );

  function inForce(): Seal | null {
    const row = seals.get() as { readonly value: string } | undefined;
    return row === undefined ? null : JSON.parse(row.value);
  }

  function deleteSome({ floorMs, first, superseded }: Seal, limit: number, untilMs: number) {
    const old = database.prepare(
      `DELETE FROM events WHERE position IN
       (SELECT position FROM events WHERE id < ? AND position < ?
        AND id NOT IN (SELECT event_id FROM withdrawals) LIMIT ?)`,
    );
    const deleted = Number(old.run(floorId(Math.min(floorMs, untilMs)), first, limit).changes);
    if (deleted > 0 || superseded === null) return deleted;
    const parts = database.prepare(
      `DELETE FROM events WHERE position IN
       (SELECT position FROM events
        WHERE position BETWEEN ? AND ? AND json_extract(event, '$.type') = ? LIMIT ?)`,
    );
    return Number(
      parts.run(superseded.first, Math.min(superseded.last, first - 1), sealedType, limit).changes,
    );
  }

  return {
    idMin() {
      const seal = inForce();
      return seal === null ? '' : floorId(seal.floorMs);
    },
    async seal() {
      return inForce();
    },
    async positionOf(eventId) {
      const row = positions.get(eventId) as { readonly position: number } | undefined;
      return row?.position ?? null;
    },
    async below(floorMs, before, afterId, limit, charsMax = Number.POSITIVE_INFINITY) {
      const rows = createBoundedList<EventRow>(({ text }) => text.length, charsMax);
      for (const row of below.iterate(afterId, floorId(floorMs), before, limit))
        if (!rows.add(row as unknown as EventRow)) break;
      return rows.items.map((row) => readEvent(row));
    },
    async countBelow(floorMs) {
      return (count.get(floorId(floorMs)) as { readonly events: number }).events;
    },
    async enforce(seal) {
      transact(() => {
        const before = inForce();
        if (before !== null && before.first >= seal.first)
          throw new Error('A newer seal is in force.');
        database
          .prepare(
            `INSERT INTO meta (key, value) VALUES ('seal', ?)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
          )
          .run(JSON.stringify(seal));
      });
    },
    async expire(limit, untilMs = Number.MAX_SAFE_INTEGER) {
      const seal = inForce();
      if (seal === null) return 0;
      const deleted = transact(() => deleteSome(seal, limit, untilMs));
      onExpired();
      return deleted;
    },
    // Each append looks at it in its own transaction.
    settledFloorMs: async () => inForce()?.floorMs ?? 0,
  };
}
