/**
 * The compactions in session files and the tokens sent for the first answer after each, read by
 * code independent of the ledger's.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TrueCompaction {
  readonly entryId: string;
  readonly sessionId: string;
  readonly tokensBefore: number;
  readonly summary: string;
  /** No message follows it in its file (omp notes its own end there). */
  readonly isLast: boolean;
  /** Input and cache of the first answer after it that reported any. Null: none. */
  readonly sentAfter: number | null;
}

/** In the order of file names, each entry once: a fork's copies come after the original. */
export function readCompactions(directory: string): readonly TrueCompaction[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const found = new Map<string, TrueCompaction>();
  for (const name of names.sort()) {
    for (const compaction of compactionsIn(join(directory, name))) {
      const known = found.get(compaction.entryId);
      if (known === undefined) found.set(compaction.entryId, compaction);
      else if (known.sentAfter === null)
        found.set(compaction.entryId, { ...known, sentAfter: compaction.sentAfter });
    }
  }
  return [...found.values()];
}

type Json = Readonly<Record<string, unknown>>;

function compactionsIn(file: string): readonly TrueCompaction[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const entries = lines.map((line) => JSON.parse(line) as Json);
  const sessionId = String(entries.find(({ type }) => type === 'session')?.id);
  return entries.flatMap((entry, index) => {
    if (entry.type !== 'compaction') return [];
    return [
      {
        entryId: String(entry.id),
        sessionId,
        tokensBefore: Number(entry.tokensBefore),
        summary: String(entry.summary),
        isLast: entries.slice(index + 1).every(({ type }) => type !== 'message'),
        sentAfter: firstAnswerBelow(entry, entries),
      },
    ];
  });
}

function firstAnswerBelow(compaction: Json, entries: readonly Json[]): number | null {
  const below = new Set([compaction.id]);
  for (const entry of entries) {
    if (!below.has(entry.parentId)) continue;
    const sent = sentFor(entry);
    if (sent > 0) return sent;
    below.add(entry.id);
  }
  return null;
}

function sentFor(entry: Json): number {
  const message = (entry.message ?? {}) as Json;
  const usage = (message.role === 'assistant' ? (message.usage ?? {}) : {}) as Readonly<
    Record<string, number>
  >;
  return (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}
