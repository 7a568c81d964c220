/**
 * How much of the session files could not be counted and may hold spend, as noted by each file's
 * last import: shown beside totals. A deleted file holds nothing anymore.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { progressVersion } from './tables.ts';

export interface Lost {
  readonly files: number;
  /** Lines, or whole files. */
  readonly count: number;
}

const query = `
  SELECT path, json_extract(issues, '$.lostCount') AS lost FROM files
  WHERE store = ? AND issues IS NOT NULL AND json_extract(issues, '$.lostCount') > 0
`;

/** `path`: of `imports.db`. A missing or unreadable one counts as nothing lost. */
export function lostOf(path: string, storeId: string): Lost {
  if (!existsSync(path)) return { files: 0, count: 0 };
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  try {
    if (Number(database.prepare('PRAGMA user_version').get()?.user_version) !== progressVersion)
      return { files: 0, count: 0 };
    const rows = (database.prepare(query).all(storeId) as unknown as LostRow[]).filter((row) =>
      existsSync(row.path),
    );
    return { files: rows.length, count: rows.reduce((sum, { lost }) => sum + lost, 0) };
  } catch {
    return { files: 0, count: 0 }; // the next import starts it anew
  } finally {
    database.close();
  }
}

interface LostRow {
  readonly path: string;
  readonly lost: number;
}
