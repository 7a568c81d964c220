/**
 * Sessions that `import-events` brought when their days had been deleted already: in no total, and
 * no file here says so. Kept until the store is put back to an earlier state.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Issue } from '../issues.ts';
import { readProgress } from './reading.ts';

export interface LateSession {
  readonly session: string;
  /** Those that are in no total. */
  readonly events: number;
  /** Where they came from: the name of an export. */
  readonly source: string;
}

/** Without those of which a file says the same. */
const untold = `
  SELECT session, events, source FROM late_sessions l WHERE store = ? AND NOT EXISTS (
    SELECT 1 FROM files f
    WHERE f.store = l.store AND f.session = l.session
    AND json_extract(f.issues, '$.lostCount') > 0
  )
  ORDER BY session
`;

/** The same events may come again, or more of them. */
const put = `
  INSERT INTO late_sessions VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET events = max(events, excluded.events)
`;

export function lateSessionsIn(database: DatabaseSync, storeId: string): readonly LateSession[] {
  return database.prepare(untold).all(storeId) as unknown as readonly LateSession[];
}

export function saveLateSessions(
  database: DatabaseSync,
  storeId: string,
  sessions: readonly LateSession[],
): void {
  const save = database.prepare(put);
  for (const { session, events, source } of sessions) save.run(storeId, session, events, source);
}

/** `path`: of `imports.db`. */
export function readLateSessions(path: string, storeId: string): readonly LateSession[] {
  return readProgress<readonly LateSession[]>(path, [], (database) =>
    lateSessionsIn(database, storeId),
  );
}

/** For every import. */
export function lateIssue({ session, events, source }: LateSession): Issue {
  const are = events === 1 ? '1 event' : `${events} events`;
  return {
    code: 'older_than_seal',
    file: source,
    line: null,
    message: `${are} of session ${session} came after the seal and are in no total`,
    mayHoldSpend: true,
  };
}
