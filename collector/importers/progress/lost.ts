/**
 * How much of the session files could not be counted and may hold spend, as noted by each file's
 * last import: shown beside totals. A deleted file holds nothing anymore. A session that an export
 * brought too late counts like a line of a file.
 */
import { existsSync } from 'node:fs';
import type { LeftOut } from '@pi-ledger/contract/answers';
import { lateSessionsIn } from './late-sessions.ts';
import { readProgress } from './reading.ts';

const query = `
  SELECT path, json_extract(issues, '$.lostCount') AS lost FROM files
  WHERE store = ? AND issues IS NOT NULL AND json_extract(issues, '$.lostCount') > 0
`;

export const nothingLost: LeftOut = { files: 0, count: 0 };

/** `path`: of `imports.db`. A missing or unreadable one counts as nothing lost. */
export function readLost(path: string, storeId: string): LeftOut {
  return readProgress(path, nothingLost, (database) => {
    const rows = (database.prepare(query).all(storeId) as unknown as LostRow[]).filter((row) =>
      existsSync(row.path),
    );
    const late = lateSessionsIn(database, storeId).length;
    return {
      files: rows.length + late,
      count: rows.reduce((sum, { lost }) => sum + lost, late),
    };
  });
}

interface LostRow {
  readonly path: string;
  readonly lost: number;
}
