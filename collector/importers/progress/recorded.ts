/** Which files something was recorded of, and of which sessions. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordedFiles } from '../session/private/taken-back.ts';

const list = `
  SELECT path, json_extract(bookmark, '$.header') AS header FROM files
  WHERE store = ? AND bookmark IS NOT NULL
`;

interface Row {
  readonly path: string;
  readonly header: string;
}

export function prepareRecorded(database: DatabaseSync, storeId: string): () => RecordedFiles {
  const rows = database.prepare(list);
  return () =>
    new Map(
      (rows.all(storeId) as unknown as readonly Row[]).map(({ path, header }) => [
        path,
        JSON.parse(header),
      ]),
    );
}
