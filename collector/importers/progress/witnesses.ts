/**
 * Detects that a store was restored to an earlier state (from a backup or disk snapshot), wherever
 * it is: the importer remembers one of the last acknowledged events of each scan and sends these
 * again before the next one. A log only grows, so one that does not know such an event has lost
 * everything after it too. Then nothing counts as read, and every file is imported again. Known
 * events still count once.
 *
 * Does not detect a restored store that received these very events again from somebody else.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Ack } from '@pi-ledger/contract';
import { unreadStamp } from './file-stamp.ts';

/** Contract: synchronous; throws when the disk fails. */
export interface Witnesses {
  /** JSON texts of events from the newest scans. */
  texts(): readonly string[];
  /** Remembers one event of a fully acknowledged batch, for the scan that began at `passMs`. */
  keep(passMs: number, texts: readonly string[]): void;
  /**
   * Call before sending them: if this process dies before it knows the answer, the sent events are
   * in the log and the answer is lost.
   */
  beginDoubt(): void;
  isDoubted(): boolean;
  endDoubt(): void;
  /**
   * Forgets that any file was read and any parent told. What is known of subagents whose files are
   * gone stays: their records may be in the log.
   */
  forgetAll(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS witnesses (
    store TEXT NOT NULL, pass_ms INTEGER NOT NULL, event TEXT NOT NULL,
    PRIMARY KEY (store, pass_ms)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS doubts (store TEXT PRIMARY KEY) STRICT;
`;

const passesMax = 8;
/** Longer events are not used as witnesses. */
const textCharsMax = 4_096;

export function createWitnesses(database: DatabaseSync, storeId: string): Witnesses {
  database.exec(schema);
  const list = database.prepare('SELECT event FROM witnesses WHERE store = ? ORDER BY pass_ms');
  const put = database.prepare('INSERT OR REPLACE INTO witnesses VALUES (?, ?, ?)');
  const prune = database.prepare(
    `DELETE FROM witnesses WHERE store = :store AND pass_ms NOT IN (
      SELECT pass_ms FROM witnesses WHERE store = :store ORDER BY pass_ms DESC LIMIT ${passesMax}
    )`,
  );
  const doubted = database.prepare('SELECT 1 FROM doubts WHERE store = ?');
  const doubt = database.prepare('INSERT OR IGNORE INTO doubts VALUES (?)');
  const trust = database.prepare('DELETE FROM doubts WHERE store = ?');
  const tables = ['witnesses', 'doubts', 'told', 'late_sessions'];
  const forget = tables.map((table) => database.prepare(`DELETE FROM ${table} WHERE store = ?`));
  const unread = database.prepare(`
    UPDATE files SET stamp = '${unreadStamp}', claimed_by_session = NULL, claimed_by_key = NULL
    WHERE store = ?
  `);
  let prunedForMs: number | null = null;
  return {
    texts: () =>
      (list.all(storeId) as unknown as { readonly event: string }[]).map(({ event }) => event),
    keep(passMs, texts) {
      const text = texts.findLast(({ length }) => length <= textCharsMax);
      if (text === undefined) return;
      put.run(storeId, passMs, text);
      if (prunedForMs !== passMs) prune.run({ store: storeId });
      prunedForMs = passMs;
    },
    beginDoubt: () => void doubt.run(storeId),
    isDoubted: () => doubted.get(storeId) !== undefined,
    endDoubt: () => void trust.run(storeId),
    forgetAll() {
      for (const statement of [...forget, unread]) statement.run(storeId);
    },
  };
}

/**
 * True when the store was restored; everything noted about it is then forgotten. Rejects when the
 * store fails.
 */
export async function forgetIfPutBack(
  witnesses: Witnesses,
  accept: (values: readonly unknown[], texts: readonly string[]) => Promise<Ack>,
): Promise<boolean> {
  const texts = witnesses.texts();
  if (!witnesses.isDoubted()) {
    if (texts.length === 0) return false;
    witnesses.beginDoubt();
    const { accepted } = await accept(
      texts.map((text): unknown => JSON.parse(text)),
      texts,
    );
    if (accepted === 0) {
      witnesses.endDoubt();
      return false;
    }
  }
  witnesses.forgetAll();
  return true;
}
