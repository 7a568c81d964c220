/**
 * The content of the ledger's log, read directly from the store by code independent of the
 * ledger's. PI_LEDGER_TEST_STORE selects the store: `sqlite` (default), or `mongodb`, each ledger
 * in its own database on the server of the lane `mongodb`.
 */
import { join } from 'node:path';
import { laneDatabases } from '../../../services/mongodb/databases.ts';
import { mongodbStore } from './stores/mongodb.ts';
import { sqliteStore } from './stores/sqlite.ts';

/** One entry with usage in the log, comparable field by field with the session files. */
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
 * Contract: reads what is committed and never writes, except for `damage`; also beside a running
 * collector. A missing store is an empty one.
 */
export interface LedgerStore {
  /** The value of `store` in config.json. */
  readonly location: string;
  /** In log order. */
  events(): Promise<readonly StoredEvent[]>;
  /** Removes the newest event of this type from the log. */
  damage(type: string): Promise<void>;
}

const kind = process.env.PI_LEDGER_TEST_STORE ?? 'sqlite';
if (kind !== 'sqlite' && kind !== 'mongodb')
  throw new Error(`PI_LEDGER_TEST_STORE is ${kind}, expected sqlite or mongodb`);
const databases = kind === 'mongodb' ? laneDatabases() : null;

export function createLedgerStore(home: string): LedgerStore {
  return databases === null ? sqliteStore(join(home, 'ledger.db')) : mongodbStore(databases.uri());
}

/** The records of all sessions, or of those ever attributed to `project`. */
export async function readLedgerRecords(
  store: LedgerStore,
  project: string | null = null,
): Promise<readonly LedgerRecord[]> {
  const events = await store.events();
  const records = events.flatMap(recordOf);
  if (project === null) return records;
  const sessions = new Set(
    events.filter((event) => projectOf(event) === project).map(({ subject }) => subject),
  );
  return records.filter(({ sessionId }) => sessions.has(sessionId));
}

function projectOf({ type, data }: StoredEvent): string | null {
  return type === 'pi.session.attributed.v1'
    ? (data as { readonly project: { readonly name: string } }).project.name
    : null;
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
