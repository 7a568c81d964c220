/**
 * How an importer finds out that a store was put back to an earlier state (a backup, a snapshot of
 * its disk), wherever it is kept and however it is reached: it remembers one of the last events
 * that were acknowledged in each of its passes, and offers them again before the next one. A log
 * only grows, so one that does not know such an event has lost all that came after it too: then
 * nothing counts as read any more, and every file is offered anew. What is known counts once.
 *
 * Does not see: a store that was put back and was told these very events again by somebody else.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Ack } from '@pi-ledger/contract';

/** Contract: synchronous; throws when the disk fails. */
export interface Witnesses {
  /** JSON texts of events, of the newest passes. */
  texts(): readonly string[];
  /** Of a batch that was acknowledged as a whole, in the pass that began then. */
  keep(passMs: number, texts: readonly string[]): void;
  /**
   * They are being offered: should this process die before it knows the answer, what it offered is
   * in the log, and the answer is lost.
   */
  beginDoubt(): void;
  isDoubted(): boolean;
  endDoubt(): void;
  /** All that is noted of this store. */
  forgetAll(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS witnesses (store TEXT NOT NULL, pass_ms INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (store, pass_ms)) STRICT;
  CREATE TABLE IF NOT EXISTS doubts (store TEXT PRIMARY KEY) STRICT;
`;

const passesMax = 8;
/** A longer event is no witness. */
const textCharsMax = 4_096;

export function createWitnesses(database: DatabaseSync, storeId: string): Witnesses {
  database.exec(schema);
  const list = database.prepare('SELECT event FROM witnesses WHERE store = ? ORDER BY pass_ms');
  const put = database.prepare('INSERT OR REPLACE INTO witnesses VALUES (?, ?, ?)');
  const prune = database.prepare(
    `DELETE FROM witnesses WHERE store = :store
     AND pass_ms NOT IN (SELECT pass_ms FROM witnesses WHERE store = :store ORDER BY pass_ms DESC LIMIT ${passesMax})`,
  );
  const doubted = database.prepare('SELECT 1 FROM doubts WHERE store = ?');
  const doubt = database.prepare('INSERT OR IGNORE INTO doubts VALUES (?)');
  const trust = database.prepare('DELETE FROM doubts WHERE store = ?');
  const tables = ['files', 'claims', 'witnesses', 'doubts', 'copied_answers', 'told'];
  const forget = tables.map((table) => database.prepare(`DELETE FROM ${table} WHERE store = ?`));
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
      for (const statement of forget) statement.run(storeId);
    },
  };
}

/**
 * True when the store was put back: all that was noted of it is forgotten then. Rejects when the
 * store failed.
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
