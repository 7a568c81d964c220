/**
 * The generations of views in a SQLite file, and their tables. A migration creates the list
 * (`view_generations`); the tables of a generation are created and dropped with it.
 *
 * A generation stores the shape that it was created with (columns, rollups, indexes, layout of this
 * store). A generation of another shape is ignored, so that no query asks for columns that do not
 * exist: the projection is folded again, as after a version change.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Projection } from '../../../projections/projection.ts';
import type { Generation } from '../../../views/views.ts';
import { createTables, dropTables } from './tables.ts';

/** Raise it when tables.ts creates other tables for the same projection. */
const layoutVersion = 1;

export interface Generations {
  live(projection: Projection): Generation | null;
  byId(projection: Projection, id: number): Generation | null;
  create(projection: Projection, checkpoint: number): Generation;
  /** Ids of the dropped generations. */
  dropUnfinished(projection: Projection): readonly number[];
  promote(projection: Projection, id: number): readonly number[];
  /** Compare and set; false, with nothing changed, when the checkpoint is not `from`. */
  advance(id: number, from: number, to: number): boolean;
}

export function createGenerations(database: DatabaseSync): Generations {
  const columns = 'id, version, settings, checkpoint';
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const one = (where: string, ...values: (string | number)[]): Generation | null => {
    return (prepare(`SELECT ${columns} FROM view_generations WHERE ${where}`).get(...values) ??
      null) as Generation | null;
  };
  const drop = (where: string, ...values: (string | number)[]): number[] => {
    const rows = prepare(`DELETE FROM view_generations WHERE ${where} RETURNING id`).all(
      ...values,
    ) as { id: number }[];
    for (const { id } of rows) dropTables(database, id);
    return rows.map(({ id }) => id);
  };

  return {
    live: (projection) =>
      one('projection = ? AND live = 1 AND shape = ?', projection.name, describeShape(projection)),
    byId: (projection, id) =>
      one(
        'id = ? AND projection = ? AND shape = ?',
        id,
        projection.name,
        describeShape(projection),
      ),
    create(projection, checkpoint) {
      const { name, version, settings } = projection;
      const insert = prepare(
        `INSERT INTO view_generations (projection, version, settings, shape, checkpoint, live)
       VALUES (?, ?, ?, ?, ?, 0)`,
      );
      const id = Number(
        insert.run(name, version, settings, describeShape(projection), checkpoint).lastInsertRowid,
      );
      createTables(database, projection, id);
      return { id, version, settings, checkpoint };
    },
    dropUnfinished: (projection) => drop('projection = ? AND live = 0', projection.name),
    promote(projection, id) {
      const dropped = drop('projection = ? AND live = 1 AND id <> ?', projection.name, id);
      prepare('UPDATE view_generations SET live = 1 WHERE id = ?').run(id);
      return dropped;
    },
    advance(id, from, to) {
      return (
        prepare('UPDATE view_generations SET checkpoint = ? WHERE id = ? AND checkpoint = ?').run(
          to,
          id,
          from,
        ).changes === 1
      );
    },
  };
}

function describeShape({ columns, indexes, rollups }: Projection): string {
  return JSON.stringify([layoutVersion, columns, indexes, rollups]);
}
