/**
 * Tokens in the SQLite file of the log, over a connection of their own: the next `find` sees a
 * revocation by another process. A migration creates the table.
 */
import type { DatabaseSync } from 'node:sqlite';
import { hashesNamed } from '../../auth/token-text.ts';
import { type StoredToken, type TokenRegistry, tokensMax } from '../../auth/tokens.ts';
import { LedgerError } from '../../errors.ts';
import { openFile } from './open-file.ts';
import { type DatabasePlace, watchPlace } from './place.ts';

export interface SqliteTokensOptions {
  /** The file of an existing, migrated store. */
  readonly path: string;
  /** For a process without the store's lock: nothing is created or revoked. */
  readonly readOnly?: boolean;
}

export function openSqliteTokens({ path, readOnly = false }: SqliteTokensOptions): TokenRegistry {
  const database = openFile({ path, readOnly });
  try {
    return tokensIn(database, readOnly, watchPlace(path));
  } catch (error) {
    database.close();
    throw error;
  }
}

const columns =
  'id, hash, user, scopes, reading, note, created_at_ms AS createdAtMs, ' +
  'expires_at_ms AS expiresAtMs, revoked_at_ms AS revokedAtMs';

function tokensIn(database: DatabaseSync, readOnly: boolean, place: DatabasePlace): TokenRegistry {
  const byHash = database.prepare(`SELECT ${columns} FROM tokens WHERE hash = ?`);
  const byName = database.prepare(
    `SELECT ${columns} FROM tokens WHERE hash BETWEEN ? AND ? LIMIT 1`,
  );
  const byId = database.prepare(`SELECT ${columns} FROM tokens WHERE id = ?`);
  const all = database.prepare(`SELECT ${columns} FROM tokens ORDER BY created_at_ms, id LIMIT ?`);
  const count = database.prepare('SELECT count(*) AS count FROM tokens');
  return {
    async create(token) {
      expectWritable(readOnly);
      if (Number(count.get()?.count) >= tokensMax) return 'full';
      place.expectHeld();
      const isNew = insert(database, token);
      place.expectHeld();
      return isNew ? 'created' : 'known';
    },
    async list() {
      return (all.all(tokensMax) as unknown as Row[]).map(toToken);
    },
    async revoke(id, atMs) {
      expectWritable(readOnly);
      place.expectHeld();
      database
        .prepare('UPDATE tokens SET revoked_at_ms = ? WHERE id = ? AND revoked_at_ms IS NULL')
        .run(atMs, id);
      return tokenOf(byId.get(id));
    },
    async find(hash) {
      return tokenOf(byHash.get(hash));
    },
    async findNamed(name) {
      const { first, last } = hashesNamed(name);
      return tokenOf(byName.get(first, last));
    },
    async close() {
      if (database.isOpen) database.close();
    },
  };
}

interface Row extends Omit<StoredToken, 'scopes' | 'reading'> {
  readonly scopes: string;
  readonly reading: string;
}

/** False when the store already has its id or its hash. */
function insert(database: DatabaseSync, token: StoredToken): boolean {
  const { id, hash, user, scopes, reading, note, createdAtMs, expiresAtMs, revokedAtMs } = token;
  const values = [
    id,
    hash,
    user,
    JSON.stringify(scopes),
    JSON.stringify(reading),
    note,
    createdAtMs,
    expiresAtMs,
    revokedAtMs,
  ];
  const statement = database.prepare(
    `INSERT INTO tokens VALUES (${values.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  );
  return statement.run(...values).changes > 0;
}

function tokenOf(row: unknown): StoredToken | null {
  return row === undefined ? null : toToken(row as Row);
}

function toToken(row: Row): StoredToken {
  return { ...row, scopes: JSON.parse(row.scopes), reading: JSON.parse(row.reading) };
}

function expectWritable(readOnly: boolean): void {
  if (readOnly) throw new LedgerError('store_locked');
}
