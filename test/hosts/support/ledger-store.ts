/** What the ledger's log holds, read straight from the store by other code than the ledger's own. */
import { DatabaseSync } from 'node:sqlite';

/** One usage-bearing entry as the log has it: comparable, field by field, with what the session files say. */
export interface LedgerRecord {
  readonly sessionId: string;
  readonly entryId: string;
  readonly timestamp: string;
  readonly kind: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly costNanoUsd: bigint;
}

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly source: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Of all sessions, or of those that were ever attributed to `project`.
 * Contract: reads a committed state and never writes, also beside a running collector. A store that is not there yet is an empty one.
 */
export function readLedgerRecords(storePath: string, project: string | null = null): readonly LedgerRecord[] {
  const events = readLedgerEvents(storePath);
  const records = events.flatMap(recordOf);
  if (project === null) return records;
  const sessions = new Set(events.filter((event) => projectOf(event) === project).map(({ subject }) => subject));
  return records.filter(({ sessionId }) => sessions.has(sessionId));
}

/** In the order of the log. Contract: as above. */
export function readLedgerEvents(storePath: string): readonly StoredEvent[] {
  const database = open(storePath);
  if (database === null) return [];
  try {
    const rows = database.prepare('SELECT event FROM events ORDER BY position').all() as { event: string }[];
    return rows.map(({ event }) => JSON.parse(event) as StoredEvent);
  } catch (error) {
    if (/no such table/.test(String(error))) return [];
    throw error;
  } finally {
    database.close();
  }
}

function open(storePath: string): DatabaseSync | null {
  try {
    return new DatabaseSync(storePath, { readOnly: true, timeout: 5_000 });
  } catch (error) {
    if (/unable to open/.test(String(error))) return null;
    throw error;
  }
}

function projectOf({ type, data }: StoredEvent): string | null {
  return type === 'pi.session.attributed.v1' ? (data as { readonly project: { readonly name: string } }).project.name : null;
}

const kinds: Readonly<Record<string, string>> = {
  'pi.turn.completed.v1': 'turn',
  'pi.tool.completed.v1': 'tool',
  'pi.compaction.completed.v1': 'compaction',
  'pi.branch.summarized.v1': 'branch_summary',
};

function recordOf({ type, subject, time, data }: StoredEvent): readonly LedgerRecord[] {
  const spend = data.spend as Readonly<Record<string, number | null>> | null | undefined;
  if (spend === null || spend === undefined) return [];
  return [
    {
      sessionId: subject,
      entryId: String(data.entryId),
      timestamp: time,
      kind: kinds[type] ?? String(data.kind),
      inputTokens: spend.inputTokens ?? 0,
      outputTokens: spend.outputTokens ?? 0,
      cacheReadTokens: spend.cacheReadTokens ?? 0,
      cacheWriteTokens: spend.cacheWriteTokens ?? 0,
      reasoningTokens: spend.reasoningTokens ?? 0,
      costNanoUsd: BigInt(spend.costNanoUsd ?? 0),
    },
  ];
}
